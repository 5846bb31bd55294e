import { Hono } from 'hono'
import { endHelp, type MadeShareInvitation, showNewLink } from '#actions/people/people.ts'
import { InviteLink, PeoplePage } from '#components/people/people-page.tsx'
import { SecretDialog } from '#components/ui/secret-dialog.tsx'
import { settingsHref } from '#domain/settings.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Form, perform, readForm } from '#routes/_http/forms.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import {
  changeForCaller,
  inviteForCaller,
  personForm,
  shareForm,
} from '#routes/_http/people/people.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderSettings } from '#routes/settings/_page.tsx'
import { readPeople, refusalWhenFull, toPeopleView } from '#routes/settings/people/_people.ts'
import { peopleDialog, withScope } from '#routes/settings/people/_people-dialogs.tsx'

/** The people who help the account, and the owners it helps. The forms call the same actions as the API. */
export const peoplePages = new Hono<AppEnv>()

peoplePages.get('/', (c) => render(c))

peoplePages.post('/', async (c) => {
  const { form } = await readForm(c)
  return perform(c, {
    act: () => inviteForCaller(c, parseForm(personForm, withScope(form))),
    done: (made) => (made.url ? render(c, { made }) : doneHref('invited')),
    refused: ({ message }) => render(c, { typed: { ...form, message } }),
    also: 'not_found',
  })
})

peoplePages.post('/:id', async (c) => {
  const { form } = await readForm(c)
  return perform(c, {
    act: () => changeForCaller(c, c.req.param('id'), parseForm(shareForm, withScope(form))),
    done: () => doneHref('saved'),
    refused: ({ message }) => render(c, { typed: { ...form, message } }),
    also: 'not_found',
  })
})

peoplePages.post('/:id/link', async (c) => {
  return render(c, { made: await showNewLink(c.var.deps, requireCaller(c), c.req.param('id')) })
})

peoplePages.post('/:id/remove', async (c) => {
  await endHelp(c.var.deps, requireCaller(c), 'remove', c.req.param('id'))
  return c.redirect(doneHref('removed'), 303)
})

peoplePages.post('/:id/leave', async (c) => {
  await endHelp(c.var.deps, requireCaller(c), 'leave', c.req.param('id'))
  return c.redirect(doneHref('left'), 303)
})

function doneHref(done: 'invited' | 'saved' | 'removed' | 'left'): string {
  return settingsHref('people', { done })
}

type State = { made?: MadeShareInvitation; typed?: Form & { message: string } }

async function render(c: AppContext, { made, typed }: State = {}): Promise<Response> {
  const lists = await readPeople(c)
  const dialog = made ? linkDialog(made) : await peopleDialog(c, lists, typed)
  const frame = {
    page: 'people',
    title: 'People',
    act: refusalWhenFull(lists) ? undefined : <InviteLink />,
    dialog,
    refusal: dialog ? undefined : typed?.message,
  } as const
  return renderSettings(c, frame, async () => <PeoplePage view={await toPeopleView(c, lists)} />)
}

/** A link that was not mailed is in this answer alone. */
function linkDialog({ email, url }: MadeShareInvitation) {
  return <SecretDialog title="Invitation link" label={`Link for ${email}`} secret={url ?? ''} />
}
