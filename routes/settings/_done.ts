import { englishText } from '#locales/refusal.ts'

const DONE = {
  'key-revoked': 'API key revoked',
  saved: 'Settings saved',
  'calendar-made': 'Your calendar has an address',
  'calendar-moved': 'Your calendar has a new address. The old one does not work any more.',
  'profile-saved': 'Profile saved',
  'email-changed': 'Email changed',
  'left-family': 'You have left the family. Your account stands alone.',
  'mobile-changed': 'Mobile number changed',
  'password-changed': 'Password changed',
  'password-common': `Password changed. ${englishText('invalid.common_password')}`,
  'app-on': 'Your authenticator app is on. Make new recovery codes if you have not seen any.',
  'app-removed': 'Authenticator app removed',
  'passkey-added': 'Passkey added',
  'passkey-here': 'Passkey added. Make new recovery codes if you have not seen any.',
  'passkey-renamed': 'Passkey renamed',
  'passkey-removed': 'Passkey removed',
  'devices-forgotten': 'Every device asks for the code again',
  'export-begun': 'Your export is being made',
  'signed-out': 'Signed out there',
  'others-signed-out': 'Signed out everywhere else',
  'logo-saved': 'Logo saved',
  'address-named': 'Address saved',
  verified: 'The address is yours',
  connected: 'Connected',
  moved: 'The webhook calls this address now',
  removed: 'Removed',
  invited: 'We sent the invitation',
  left: 'You no longer help with these codes',
  tested: 'The test arrived',
  'test-mailed': 'The test is on its way',
  again: 'It is sent again',
  'ticket-opened': 'Ticket opened',
  'ticket-answered': 'Answer sent',
  'ticket-closed': 'Ticket closed',
  'ticket-reopened': 'Ticket opened again',
} as const

export type Done = keyof typeof DONE

/** Returns the outcome of a form from the query, which the bar says. */
export function doneText(done = ''): string | undefined {
  return Object.hasOwn(DONE, done) ? DONE[done as Done] : undefined
}
