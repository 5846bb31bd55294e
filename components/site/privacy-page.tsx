import { OperatorContact, TextPage } from '#components/site/text-page.tsx'

export function PrivacyPage({ supportEmail, year }: { supportEmail?: string; year: number }) {
  return (
    <TextPage title="Privacy policy" year={year}>
      <p>
        DriveQR runs on a server of the people who offer this site. Nothing here is sold, there is
        no advertising and no tracking, and no page loads anything from another company.
      </p>
      <WhatIsKept />
      <WhoSeesWhat />

      <h2>On your device</h2>
      <p>
        When you are signed in, your browser keeps one cookie and one entry in its local storage.
        Both do nothing but keep you signed in, for up to 30 days. A second cookie remembers how you
        like your QR codes laid out, and a third one, for half an hour at most, that it was you who
        went to Google to sign in. A fourth one, for a day, ties a one-time code to the browser that
        asked for it, and a fifth one, for 400 days, says that you signed in with this browser: so
        nobody who guesses at your password can lock you out of it. Finders get none of them.
      </p>

      <h2>Who else is involved</h2>
      <p>
        Emails go through a mail server. If you sign in with Google, Google learns that you use this
        site, and tells us your name, your email address and the number that it knows you by, which
        is kept with your account. If you tap WhatsApp, call or SMS, your phone’s own services take
        over. Alerts go through what you connect for them: the push service of your browser, which
        cannot read them, or Telegram, a server of ntfy or one of your own, which can.
      </p>

      <h2>Deleting</h2>
      <p>
        When you delete a QR code, the code and its scan page, all its documents, its scan history
        and its sharing links are gone at once and for good. A single document or image can be
        deleted the same way. Copies in backups disappear when the backups are replaced. To have
        your whole account deleted, or to get a copy of your data, write to{' '}
        <OperatorContact supportEmail={supportEmail} />.
      </p>

      <h2>Contact</h2>
      <p>
        Questions about your data go to <OperatorContact supportEmail={supportEmail} />.
      </p>
    </TextPage>
  )
}

function WhatIsKept() {
  return (
    <>
      <h2>What is kept</h2>
      <ul>
        <li>
          <b>Your account</b>: name, email address or mobile number, plan, and your password as a
          fingerprint that cannot be turned back into it.
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
        <li>
          <b>Upgrade requests and promo codes</b> that you used, with the payment reference and
          screenshot you sent.
        </li>
        <li>
          <b>Emails to you</b>, encrypted, until the mail server has taken them: seconds as a rule,
          two days at most.
        </li>
        <li>
          <b>Where alerts go</b>: the devices, chats and addresses that you connect, encrypted,
          until you remove them.
        </li>
        <li>
          <b>What administrators do</b>, in a log, so that it can be checked.
        </li>
      </ul>
      <p>To slow down abuse, the server counts requests per network address for a short time.</p>
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
          Leave a field empty and it is not shown.
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
          <b>Administrators of this site</b> see accounts, codes and upgrade requests.
        </li>
      </ul>
    </>
  )
}
