import { Hono } from 'hono'
import type { ReactElement } from 'react'
import { endHelp, type MadeShareInvitation, showNewLink } from '#actions/people/people.ts'
import { PeoplePage } from '#components/people/people-page.tsx'
import { SecretDialog } from '#components/ui/secret-dialog.tsx'
import { settingsHref } from '#domain/settings.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import {
  changeForCaller,
  inviteForCaller,
  personForm,
  shareForm,
} from '#routes/_http/people/people.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderSettings } from '#routes/settings/_page.tsx'
import { peopleDialog, readPeople, withScope } from '#routes/settings/_people.tsx'

/** The people who help the account, and those it helps. The forms call the same actions as the API. */
export const peoplePages = new Hono<AppEnv>()
  .get('/', async (c) => render(c, await peopleDialog(c)))
  .post('/', async (c) => {
    const { form } = await readForm(c)
    return perform(c, {
      act: () => inviteForCaller(c, parseForm(personForm, withScope(form))),
      done: (made) => (made.url ? render(c, linkDialog(made, made.url)) : doneHref('invited')),
      refused: async ({ message }) => render(c, await peopleDialog(c, { ...form, message })),
    })
  })
  .post('/:id', async (c) => {
    const { form } = await readForm(c)
    return perform(c, {
      act: () => changeForCaller(c, c.req.param('id'), parseForm(shareForm, withScope(form))),
      done: () => doneHref('saved'),
      refused: async ({ message }) => render(c, await peopleDialog(c, { ...form, message })),
    })
  })
  .post('/:id/link', async (c) => {
    const made = await showNewLink(c.var.deps, requireCaller(c), c.req.param('id'))
    return render(c, linkDialog(made, made.url))
  })
  .post('/:id/remove', (c) => end(c, 'remove', c.req.param('id')))
  .post('/:id/leave', (c) => end(c, 'leave', c.req.param('id')))

async function end(c: AppContext, how: 'remove' | 'leave', id: string): Promise<Response> {
  await endHelp(c.var.deps, requireCaller(c), how, id)
  return c.redirect(doneHref('removed'), 303)
}

function doneHref(done: 'invited' | 'saved' | 'removed'): string {
  return settingsHref('people', { done })
}

/** A link that was not mailed is in this answer alone. */
function linkDialog({ email }: MadeShareInvitation, url: string) {
  return <SecretDialog title="Invitation link" label={`Link for ${email}`} secret={url} />
}

function render(c: AppContext, dialog: ReactElement | undefined): Promise<Response> {
  const frame = { page: 'people', title: 'People', dialog } as const
  return renderSettings(c, frame, async () => <PeoplePage view={await readPeople(c)} />)
}
