import { watchLogin } from '#islands/accounts/_login-forms.ts'
import { offerAmongFilled } from '#islands/accounts/_passkeys.ts'
import { exchangeSignInCode } from '#islands/accounts/_sign-in-code.ts'
import { forgetSignedOut } from '#islands/accounts/_signed-out.ts'

watchLogin()
forgetSignedOut()
void exchangeSignInCode()
void offerAmongFilled()
