import { passwordStrength } from '#domain/accounts/password-strength.ts'
import { listen } from '#islands/_listen.ts'

/** Says beside a new password how hard it is to guess. Nothing of it leaves the page. */
listen<HTMLInputElement>('input', 'input[data-meter]', (field) => {
  const meter = document.getElementById(field.dataset.meter ?? '')
  if (!meter) return
  const { level, words } = passwordStrength(field.value)
  meter.hidden = field.value === ''
  meter.className = `strength strength-${level}`
  const said = meter.querySelector('span')
  if (said && said.textContent !== words) said.textContent = words
})
