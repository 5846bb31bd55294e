import { useState } from 'react'
import { ResetLinkDialog, type ResetLinkView } from '#components/families/reset-link.tsx'
import { RESET_LINK_MAILED } from '#domain/families/password-reset.ts'
import type { ApiProblem } from '#islands/_api.ts'
import { callApi } from '#islands/_api.ts'
import { useDelegated } from '#islands/_delegate.ts'
import { reloadList } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { showToast } from '#islands/_toast.ts'

type Answer = { message: string; reset_url?: string | null; reset_qr_image?: string }

/** Decides requests where they stand, and shows the link of an approval this once. */
export function ResetRequests() {
  const [link, setLink] = useState<ResetLinkView>()

  useDelegated<HTMLFormElement>('submit', '[data-action="decide-reset"]', (form, event) => {
    event.preventDefault()
    const { submitter } = event as SubmitEvent
    if (submitter instanceof HTMLButtonElement) decide(form, submitter)
  })

  async function decide(form: HTMLFormElement, pressed: HTMLButtonElement) {
    const { id = '', name = '', contact = '' } = form.dataset
    const release = disableRow(form, pressed)
    try {
      const payload = { request_id: id, action: pressed.value }
      const answer = await callApi<Answer>('POST', '/client/password-reset-approve', payload)
      showToast(
        answer.reset_url === null ? `${answer.message}. ${RESET_LINK_MAILED}` : answer.message,
      )
      await showDecided(id)
      const { reset_url: url, reset_qr_image: image } = answer
      if (url && image) setLink({ child_name: name, child_contact: contact, url, image })
    } catch (error) {
      const { message, status } = error as ApiProblem
      showToast(message || 'Failed to process request', 'error')
      release()
      if (status === 409) await showDecided(id)
    }
  }

  return link ? <ResetLink link={link} onLeave={() => setLink(undefined)} /> : null
}

function disableRow(form: HTMLFormElement, pressed: HTMLButtonElement): () => void {
  const row = form.querySelector('fieldset') as HTMLFieldSetElement
  row.disabled = true
  pressed.setAttribute('aria-busy', 'true')
  return () => {
    row.disabled = false
    pressed.removeAttribute('aria-busy')
  }
}

async function showDecided(id: string): Promise<void> {
  await reloadList()
  document.getElementById(`request-${id}`)?.focus()
}

function ResetLink({ link, onLeave }: { link: ResetLinkView; onLeave: () => void }) {
  const [copied, setCopied] = useState(false)
  const modal = useModal(() => {
    modal.ref.current?.close()
    onLeave()
  })

  /** A page without TLS has no clipboard; there the link is marked, to be copied by hand. */
  async function copy() {
    try {
      await navigator.clipboard.writeText(link.url)
      setCopied(true)
    } catch {
      modal.ref.current?.querySelector('input')?.select()
    }
  }

  return <ResetLinkDialog link={link} copied={copied} onCopy={copy} {...modal} />
}
