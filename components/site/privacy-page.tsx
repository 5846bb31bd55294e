import { usePageBrand } from '#components/brands/brand-context.tsx'
import { productName } from '#components/brands/brand-name.tsx'
import { OperatorContact, TextPage } from '#components/site/text-page.tsx'
import { DELETION_DAYS } from '#domain/accounts/deletion.ts'
import { counted } from '#domain/number.ts'
import { hasPlans } from '#domain/plans/offer.ts'

type PrivacyProps = {
  supportEmail?: string | undefined
  /** the operator of the site, and the contact for questions and complaints about data */
  operator: {
    name?: string | undefined
    address?: string | undefined
    /** `mailto:` or `https:` */
    contact?: string | undefined
  }
  /** in days; 0 is for ever */
  retention: Retention
  /** of this notice */
  version: string
  /** the name of the sign-in provider */
  provider: string
}

type Retention = { scans: number; views: number; audit: number; log: number }

export function PrivacyPage({
  supportEmail,
  operator,
  retention,
  version,
  provider,
}: PrivacyProps) {
  const contact = <PrivacyContact contact={operator.contact} supportEmail={supportEmail} />
  const name = productName(usePageBrand().brand)
  return (
    <TextPage title="Privacy policy">
      <p>
        {`${name} runs on a server of the people who offer this site. Nothing here is sold, there is no advertising and no tracking, and no page loads anything from another company.`}
      </p>
      <Purposes />
      <WhatIsKept />
      <HowLong retention={retention} />
      <Messages />
      <WhoSeesWhat />

      <h2>On your device</h2>
      <p>
        When you are signed in, your browser keeps one cookie and one entry in its local storage.
        Both do nothing but keep you signed in, for up to 30 days. Text that you typed into a form
        and did not send stays there too, except passwords and PINs, until you send it, discard it
        or log out, for a week at most. A second cookie remembers how you like your QR codes laid
        out, and a third one, for half an hour at most, that it was you who went to {provider} to
        sign in. A fourth one, for a day, ties a one-time code to the browser that asked for it, and
        a fifth one, for 400 days, says that you signed in with this browser: so nobody who guesses
        at your password can lock you out of it. A sixth one, for an hour at most, leads you to the
        page that you asked for before you signed in. A seventh one, for ten minutes, fills in the
        login after you registered a child QR code. Finders get none of them. Whoever opens the form
        of a message gets one for 31 days, with a random number, so that a block of one finder does
        not shut out others. Whoever chooses a language gets a cookie that remembers it for a year.
      </p>

      <h2>Who else is involved</h2>
      <p>
        Emails go through a mail server. If you sign in with {provider}, {provider} learns that you
        use this site, and tells us your name, your email address and the number that it knows you
        by, which is kept with your account. If you tap WhatsApp, call or SMS, your phone’s own
        services take over. Alerts go through what you connect for them: the push service of your
        browser, which cannot read them, or Telegram, a server of ntfy or one of your own, which
        can.
      </p>

      <h2>Handing a code over</h2>
      <p>
        When you transfer a QR code, its new owner gets what it says of the vehicle, the documents
        that you hand over, and how often it was scanned. They get nothing else: not your contact
        details, notes and messages, and not when it was scanned. The address that you type is kept
        until its holder decides, or until the 72 hours for that are over.
      </p>

      <h2>Deleting</h2>
      <p>
        When you delete a QR code, the code and its scan page, all its documents, its scan history,
        its conversations and its sharing links are gone at once and for good. A single document or
        image can be deleted the same way.
      </p>
      <p>
        You delete your whole account under Settings, Your data, where you also get a copy of
        everything about it. Finders no longer reach you from then on. {`For ${DELETION_DAYS} days`}{' '}
        a mailed link takes it back, then it is gone for good. If you cannot log in to your account,
        write to {contact} to have it deleted. Copies in backups disappear when the backups are
        replaced.
      </p>

      <h2>Contact</h2>
      <p>
        Questions and complaints about your data go to {contact}.{' '}
        {operator.name &&
          `This site is run by ${[operator.name, operator.address].filter(Boolean).join(', ')}. `}
        If we do not answer, or you do not agree, you can turn to the data protection authority of
        your country.
      </p>
      <p className="small soft">{`Version ${version} of this notice.`}</p>
    </TextPage>
  )
}

function PrivacyContact({
  contact,
  supportEmail,
}: {
  contact: string | undefined
  supportEmail: string | undefined
}) {
  if (!contact) return <OperatorContact supportEmail={supportEmail} />
  return <a href={contact}>{contact.replace(/^mailto:/, '')}</a>
}

function Purposes() {
  return (
    <>
      <h2>What for</h2>
      <p>
        What you type is there so that finders can reach you, so that authorities see the papers
        that you make public, and so that you can sign in, pay and get help. Scans are counted so
        that you know of them. The log of administrators, and what is counted against abuse, keep
        accounts safe. Nothing is used for anything else.
      </p>
      <p>
        When you register, claim a code or register as a family member, the version of this notice
        and the time are kept. If it changes, you are shown that when you next log in. Whoever is
        younger than 18 needs a guardian, who is the owner of their code and confirms it.
      </p>
    </>
  )
}

function HowLong({ retention: { scans, views, audit, log } }: { retention: Retention }) {
  return (
    <>
      <h2>How long</h2>
      <ul>
        <li>
          <b>Scans</b>: the time and the device {daysText(scans)}. How many there were stays.
        </li>
        <li>
          <b>When authorities looked at documents</b>: {daysText(views)}.
        </li>
        <li>
          <b>What administrators do</b>:{' '}
          {daysText(audit, 'for good, and without your name once your account is gone')}.
        </li>
        <li>
          <b>Lines of the server’s log</b>, which name no person: {daysText(log, 'for good')}.
        </li>
        <li>
          <b>Messages</b>: as below. <b>Everything else</b> stays as long as your account.
        </li>
      </ul>
    </>
  )
}

function daysText(days: number, kept = 'as long as your account is there'): string {
  if (days === 0) return kept
  return `for ${counted(days, 'day')}`
}

function WhatIsKept() {
  return (
    <>
      <h2>What is kept</h2>
      <ul>
        <li>
          <b>Your account</b>
          {`: name, email address or mobile number, ${hasPlans() ? 'plan, ' : ''}and your password as a fingerprint that cannot be turned back into it.`}
        </li>
        <li>
          <b>Your QR codes</b>: what you write on them, such as contact details, vehicle, emergency
          contact and public message. A PIN is kept as a fingerprint too.
        </li>
        <li>
          <b>Your documents and popup images</b>, as files. Popup images lose hidden data such as
          the place where a photo was taken.
        </li>
        <li>
          <b>Scans</b>: the time, the kind of device (phone, tablet, computer) and how the finder
          came to the page (directly, by a search, from a social network). No IP address, no
          location and no name is stored with a scan.
        </li>
        {hasPlans() && <PlansKept />}
        <li>
          <b>Your brand</b>: its name, logo, colour and footer, your own address, and which codes
          you printed with it.
        </li>
        <li>
          <b>Support tickets</b>: what you and the support write, with the files that come with it,
          as long as your account is there.
        </li>
        <li>
          <b>Emails to you</b>, encrypted, until the mail server has taken them: seconds as a rule,
          two days at most.
        </li>
        <li>
          <b>Where alerts go</b>: the devices, chats and addresses that you connect, encrypted,
          until you remove them or set a new password. What was sent to a webhook stays for 30 days,
          encrypted, so that you can send it again.
        </li>
        <li>
          <b>Programs that log in to your account</b>: a fingerprint of their name and network, for
          90 days after the last time, so that you are mailed of a new one only.
        </li>
        <li>
          <b>Devices that are signed in</b>: their kind and the name of the browser, and when they
          were used first and last. No IP address and no place.
        </li>
        <li>
          <b>What administrators do</b>, in a log, so that it can be checked.
        </li>
      </ul>
      <p>To slow down abuse, the server counts requests per network address for a short time.</p>
    </>
  )
}

function PlansKept() {
  return (
    <>
      <li>
        <b>Upgrade requests and promo codes</b> that you used, with the payment reference and
        screenshot you sent.
      </li>
      <li>
        <b>Receipts</b>: your name, your email address or mobile number, what you paid and for what.
        They stay when your account is deleted, as bookkeeping asks.
      </li>
    </>
  )
}

function Messages() {
  return (
    <>
      <h2>Messages between finders and owners</h2>
      <p>
        A finder can write to the owner of a code without an account and without showing a number.
        What is kept is what the finder sends: the reason, and if they choose to, a text, a place, a
        location, a photo, a name, and an email address or mobile number. A location is sent only
        after a press on its button. A photo loses hidden data, such as the place where it was
        taken. What the owner answers is kept too.
      </p>
      <ul>
        <li>
          <b>Who reads it</b>: the owner of the code, or the family member who registered it as
          theirs (the parent account does not), and whoever has the secret address of the finder’s
          page. The owner sees the email address or mobile number only if the finder ticked that. If
          an owner reports a conversation, moderators and administrators read what was reported.
        </li>
        <li>
          <b>Where it goes</b>: alerts of a message carry its text to the channels that the owner
          connected. The finder is mailed of an answer only at the address they gave for that.
        </li>
        <li>
          <b>How long</b>: a conversation closes 30 days after its last message. The place, the
          location, the photo and the way to reach the finder are deleted 30 days after that, and
          everything else 90 days after it closed. A finder’s Stop deletes those four at once. An
          owner can delete a conversation at any time, and the deletion of a code takes its
          conversations along.
        </li>
        <li>
          <b>Against abuse</b>: a fingerprint of the finder’s network, which changes every day, is
          kept for 7 days, and that of a blocked sender for a day, or for 30 days if a moderator
          blocked it: so a sender is blocked while nobody learns who it is. A report, with what was
          on the page at that time, is deleted 90 days after its decision, unless a code or an image
          stays closed by it.
        </li>
      </ul>
    </>
  )
}

function WhoSeesWhat() {
  return (
    <>
      <h2>Who sees what</h2>
      <ul>
        <li>
          <b>Anyone who scans your code</b> sees the name, mobile number, email, city, vehicle,
          company or fleet, emergency contact, blood group and public message that you wrote on it.
          Leave a field empty and it is not shown. If finders write to you first, your number, your
          email and your last name are not shown either; the vehicle and the city can be hidden.
        </li>
        <li>
          <b>Only someone you tell the PIN</b> sees the licence number, the insurance policy and its
          expiry date, and your notes.
        </li>
        <li>
          <b>Documents are private</b> until you make one public. A public document can be opened by
          anyone who has your code, not only by the police. A link you share ends after 7 days.
        </li>
        <li>
          <b>You</b> see when your codes were scanned. A finder is told so on the page.
        </li>
        <li>
          <b>The parent account</b> of a child QR code sees that code and decides about its password
          resets.
        </li>
        <li>
          <b>Administrators of this site</b>
          {` see accounts, codes, ${hasPlans() ? 'upgrade requests, receipts ' : ''}and support tickets. New messages of a ticket are mailed to them too.`}
        </li>
      </ul>
    </>
  )
}
