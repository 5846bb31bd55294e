import { watchLogin } from '#islands/accounts/_login-forms.ts'
import { offerAmongFilled } from '#islands/accounts/_passkeys.ts'
import { exchangeSignInCode } from '#islands/accounts/_sign-in-code.ts'
import { forgetSignedOut } from '#islands/accounts/_signed-out.ts'

watchLogin()
if (!('PublicKeyCredential' in globalThis)) {
  for (const button of document.querySelectorAll<HTMLElement>('[data-passkey]')) {
    button.hidden = true
  }
}
forgetSignedOut()
void exchangeSignInCode()
void offerAmongFilled()
