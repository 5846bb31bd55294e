import { usePageBrand } from '#components/brands/brand-context.tsx'
import { productName } from '#components/brands/brand-name.tsx'
import { OperatorContact, TextPage } from '#components/site/text-page.tsx'
import { hasPlans } from '#domain/plans/offer.ts'

export function TermsPage({ supportEmail }: { supportEmail?: string }) {
  const name = productName(usePageBrand().brand)
  return (
    <TextPage title="Terms">
      <p>
        {`These are the rules for using ${name} on this site. They are short so that they get read.`}
      </p>

      <h2>{`What ${name} does`}</h2>
      <p>
        You put your contact details behind a QR code and hang the code on your keys or stick it on
        your vehicle. Anyone who scans it can call or write to you. You can also keep vehicle
        documents here and choose which ones are public: anyone who scans the code, the police too,
        can open those.
      </p>
      <p>
        {`${name} connects people. It cannot promise that a finder scans your code, calls you or returns your keys, and it is no emergency service: in an emergency call `}
        <a href="tel:112">112</a>.
      </p>

      <h2>Your part</h2>
      <ul>
        <li>Enter details that are yours, or that their owner lets you publish.</li>
        <li>Keep your password and your PINs to yourself.</li>
        <li>Upload only documents and images that you may store and show.</li>
        <li>
          Use a finder’s page to return something or to help. Do not use it to trouble its owner.
        </li>
        <li>Do not scan or guess codes in bulk, and do not try to get around the limits.</li>
      </ul>

      <h2>Codes</h2>
      <p>
        A code belongs to the account that created, claimed or registered it. An unclaimed code
        belongs to whoever claims it first. When you delete a code, its printed tag stops working
        for good.
      </p>

      {hasPlans() && <PlansAndPayment />}

      <h2>Blocking</h2>
      <p>
        An account that breaks these rules can be blocked. Its codes stay reachable for finders, so
        that keys still come home.
      </p>

      <h2>No warranty</h2>
      <p>
        This site is run with care, and as it is: without a warranty, as far as the law allows. Keep
        your own copies of documents that you store here.
      </p>

      <h2>Questions</h2>
      <p>
        Write to <OperatorContact supportEmail={supportEmail} />. What is kept about you is on the{' '}
        <a href="/privacy">privacy page</a>.
      </p>
    </TextPage>
  )
}

function PlansAndPayment() {
  return (
    <>
      <h2>Plans and payment</h2>
      <p>
        The free plan costs nothing. A paid plan starts when your payment has been checked by hand,
        within 24 hours. A promo code works once per account; some need approval first. What each
        plan includes is on the <a href="/#pricing">plan list</a>.
      </p>
      <p>
        A paid plan lasts for the months that you pay for. A month ends on the same day of the next
        month, or on its last day if that is shorter. Months of the same plan are added to its end;
        another plan starts at once, and what is left of the old one is lost. Each payment has a
        receipt. You are told a week before the end, a day before and on the day. After it your
        account is free again: nothing is deleted, your codes stay reachable for finders, and what
        the plan gave waits until you renew it.
      </p>
    </>
  )
}
