import type { Lang } from '#domain/languages/languages.ts'

/**
 * The English texts of all pages for people without an account, and of the mails to them. The other
 * languages have the same ones: a file each beside this one. `{name}` is a slot that the program
 * fills. A text with `one` and `other` follows a number: `Intl.PluralRules` says which one is used.
 */

/** What several pages share. */
const page = {
  /** before the name of the page's language: `Language: English` */
  language: 'Language',
  optional: '(optional)',
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss',
  login: 'Login',
  toCode: 'To the page of the code',
  toStart: 'Go to the start page',
  failed: 'This did not work',
  again: {
    second: { one: 'Try again in {n} second.', other: 'Try again in {n} seconds.' },
    minute: { one: 'Try again in {n} minute.', other: 'Try again in {n} minutes.' },
    hour: { one: 'Try again in {n} hour.', other: 'Try again in {n} hours.' },
    day: { one: 'Try again in {n} day.', other: 'Try again in {n} days.' },
  },
}

/** The page of a code, which a finder scans. */
const scan = {
  title: 'Found keys',
  found: 'Found these keys?',
  oneTap: 'One tap reaches the owner.',
  noMessages: 'Messages to the owner are not possible now.',
  owner: 'Owner',
  reach: 'Reach the owner',
  call: 'Call owner',
  messageOwner: 'Message owner',
  /** under it, where writing is the only way */
  messageOnly: 'No app, no login, no number',
  /** under it, beside the number to call */
  messageToo: 'Without showing your number',
  whatsapp: 'WhatsApp',
  written: 'Message is already written',
  /** what the finder sends by WhatsApp */
  greeting:
    'Hello! I found your keys. I scanned the DriveQR code on them ({code}). How can I return them to you?',
  /** of the finder's email */
  subject: 'I found your keys',
  sms: 'SMS',
  email: 'Email',
  trust: 'The owner can see this scan.',
  trustRelay: 'Your number stays hidden.',
  trustNobody: 'No app and no account needed.',
  lost: 'Reported lost',
  lostOn: 'Reported lost on {day}',
  reward: 'Reward:',
  nothingToPay: 'Nobody is asked to pay anything here.',
  accident: 'Accident? Someone hurt?',
  call112: 'Call 112',
  services: 'Ambulance, police, fire',
  emergencyContact: 'Emergency contact',
  bloodGroup: 'Blood group',
  privateDetails: 'Private details',
  pin: 'PIN',
  pinHint: 'If the owner told you the PIN, enter it here.',
  showDetails: 'Show details',
  incorrect: 'Incorrect PIN',
  malformed: 'PIN must be 4 to 6 digits',
  /** then when to try again */
  locked: 'Too many wrong tries.',
  licence: 'Driving licence number',
  policy: 'Insurance policy number',
  expiry: 'Insurance expiry date',
  notes: 'Notes',
  nothing: 'The owner has not written anything here.',
  police: 'Police: vehicle documents',
  report: 'Report this page',
  childUser: 'Is this your code? Forgot Password',
  preview: 'This is what a finder sees. No scan is counted.',
  dashboard: 'Go to Dashboard',
  sample: 'This is a sample page. Its owner does not exist.',
  create: 'Create My QR Code',
  keep: 'Keep this code: create an account',
  ownerNote: 'A note from the owner',
  serviceNote: 'A message from DriveQR',
  proceed: 'Continue to Contact Info',
  welcome: 'Welcome Back',
  welcomeText: 'This is your own QR code. Taking you to your dashboard…',
  dashboardNow: 'Go to Dashboard Now',
  unregistered: 'Unregistered QR',
  unregisteredText:
    'Nobody has registered this QR code yet. If it is yours, register it now. It takes one minute and needs no OTP.',
  register: 'QR Register',
  /** while the child user of a code waits for the guardian, which strangers need not know */
  waiting: 'Not in use yet',
  waitingText: 'The owner of this QR code has not confirmed it yet. Please try again later.',
  /** of a tag that its owner no longer uses */
  replaced: 'This tag was replaced',
  replacedText: 'The owner uses a new one. If you found this one, you can still reach them.',
  notFound: 'QR Code Not Found',
  notFoundText: 'This QR code is invalid or no longer active. Please check the code and try again.',
  tryAgain: 'Try again',
  busy: 'Too many scans',
  /** then when to try again */
  busyText: 'Very many codes were opened from your network.',
}

/** The form on which a finder writes to the owner. */
const message = {
  about: 'What is it about?',
  reasons: {
    found: 'I found these keys',
    parking: 'The vehicle is in the way',
    lights: 'Lights are on, or a window is open',
    damage: 'The vehicle was hit, damaged or towed',
    accident: 'Accident. Someone is hurt',
    other: 'Something else',
  },
  text: 'Your message',
  place: 'Where is it?',
  shareLocation: 'Share my location',
  willBeSent: 'This will be sent',
  within: 'within {n} metres',
  remove: 'Remove',
  noLocation: 'Your location could not be found. Write where it is.',
  photo: 'Photo',
  photoHint: 'JPEG, PNG or WebP, up to 5 MB',
  aboutYou: 'About you',
  name: 'Your name',
  tellMe: 'Tell me when the owner answers',
  tellMeHint: 'Email or mobile number. We write to an email only.',
  showIt: 'Show it to the owner',
  showItHint: 'Without the tick it stays hidden.',
  send: 'Send message',
  answerPlace: 'The answer comes to a page that only you have.',
  offline: 'There is no network here. What you wrote stays on this page. Try again in a moment.',
  otherWays: 'Other ways to reach the owner',
  none: 'No messages for this code',
  noneText: 'Nobody reads messages for this code. Its page says what else you can do.',
}

/** The page on which a finder reads the owner's answers. */
const conversation = {
  log: 'Conversation',
  keep: "Keep this page. The owner's answer appears here.",
  copy: 'Copy',
  copied: 'Copied',
  you: 'You',
  owner: 'Owner',
  sharesNumber: '{name} shares this number:',
  photo: 'The photo that you sent',
  /** what owners answer with one press; it is stored in English */
  quick: {
    'I am coming now': 'I am coming now',
    'Please leave them at the security desk': 'Please leave them at the security desk',
    'Thank you, I have them back': 'Thank you, I have them back',
  },
  answer: 'Answer',
  look: 'Look for an answer',
  closed: 'This conversation is closed. You can read it here, but no longer answer.',
  returned: 'The owner has the keys back. Thank you.',
  paused: 'Messages to the owner are not possible now. You can read what was written.',
  notSent: 'This was not sent:',
  stop: 'Stop',
  stopText: 'End this conversation and delete what I shared.',
  stopTitle: 'End this conversation?',
  stopQuestion:
    'Place, location, photo and the way to reach you are deleted at once. Nobody can write here any more.',
  stopNo: 'Keep the conversation',
  ended: 'This conversation has ended',
  endedText:
    'Whatever you shared in it is deleted, or will be. If you still have the tag in hand, scan it again.',
}

/** The form by which a finder reports a page. */
const report = {
  hint: 'A moderator reads it. The owner is not told who you are.',
  about: 'What is wrong?',
  reasons: {
    threat: 'It threatens somebody',
    spam: 'It is advertising',
    offensive: 'It is offensive',
    fraud: 'It tries to cheat people',
    other: 'Something else',
  },
  text: 'What happened?',
  send: 'Send report',
  done: 'Thank you',
  doneText: 'A moderator will look at the page.',
}

/** The vehicle documents that an owner shows to authorities. */
const police = {
  title: 'Vehicle documents',
  description: 'The vehicle documents that the owner of this QR code shows to authorities.',
  view: 'Authority view',
  owner: 'Owner',
  contact: 'Contact',
  /** instead of a number, where finders write first */
  byMessage: 'by message',
  notNow: 'not possible now',
  /** instead of a name or number that is missing */
  missing: 'N/A',
  documents: 'Public documents',
  types: {
    rc_book: 'Registration certificate (RC book)',
    insurance: 'Insurance',
    puc: 'Pollution certificate (PUC)',
    license: 'Driving licence',
    owner_photo: 'Owner photo',
    vehicle_photo: 'Vehicle photo',
    road_tax: 'Road tax',
    vehicle_permit: 'Vehicle permit',
    fitness_certificate: 'Fitness certificate',
    id_proof: 'ID proof',
    service_history: 'Service history',
  },
  sides: { front: 'Front side', back: 'Back side' },
  open: 'View',
  valid: 'Valid until {day}',
  ended: 'Ended on {day}',
  copies:
    'These are the owner’s copies. What DigiLocker or mParivahan shows has the force of the original.',
  onlyPublic: 'Only documents that the owner made public are listed.',
  none: 'No public documents',
  notPublic: 'The owner may not have made documents public for authorities.',
  restricted: 'Access Restricted',
  failed: 'Unable to load documents',
  goBack: 'Go Back',
}

/** What somebody puts on a code: on a claim, and on the registration of a child code. */
export const holder = {
  owner_name: 'Full Name',
  contact_phone: 'Mobile Number',
  email: 'Email',
  city_area: 'City / Area',
  emergency_contact_name: 'Emergency Contact Name',
  emergency_contact_phone: 'Emergency Contact Phone',
  public_message: 'Public Message',
  /** what `public_message` is at first */
  defaultMessage: 'This key belongs to a wonderful human being. Thank you for scanning!',
  emergency: 'Emergency contact',
  finderSees: 'What a finder sees',
  reach: 'How do finders reach you?',
  public: 'Finders can call me',
  publicHint: 'Call, WhatsApp, SMS and email, with your number',
  relay: 'Finders write to me first. My number and e-mail stay hidden',
  relayHint: 'You answer in your dashboard. Only your first name is shown.',
  relayLater:
    'Finders can write to you once this code is in an account. Until then they see your number and e-mail.',
  shown: 'What else is shown?',
  show_vehicle: 'Show the vehicle',
  show_city: 'Show the city / area',
  staysVisible: 'Emergency contact and blood group stay visible. You filled them in for that.',
  privacy: 'What we keep, and for how long: privacy policy',
  /** the finder's page in small */
  preview: {
    name: 'Preview',
    caption: 'Preview of your page',
    found: 'Found these keys?',
    call: 'Call owner',
    message: 'Message owner',
    email: 'Email',
    more: 'WhatsApp · SMS',
    noCall: 'No call, WhatsApp, SMS or email button',
  },
}

/** Where an unclaimed code gets its claimer. */
const claim = {
  title: 'Claim this QR code',
  description:
    'Put your contact details on this QR code, so that a finder of your keys can reach you.',
  picture: 'QR code {code}',
  activation: 'Activation code',
  activationHint: 'On the half of the label that you tore off',
  phoneHint: 'A finder calls this number.',
  emailHint: 'Finders see it. The account that you create with it gets this code.',
  inDashboard: 'You can manage this code in your dashboard.',
  afterAccount: 'You can manage this code after creating an account.',
  submit: 'Claim QR Code',
  busy: 'Claiming...',
  failed: 'Failed to claim QR code',
  done: 'QR Code claimed successfully!',
  claimedText: 'Its page tells a finder how to reach the owner. If it is yours, log in.',
  openPage: 'Open its page',
  childText: 'It is for a family member, who registers it with a password.',
  register: 'Register QR Code',
}

/** Where a code for a family member gets its user, who also asks here for a new password. */
const child = {
  title: 'Register this QR code',
  description: 'Register the QR code that a family member gave you.',
  noOtp: 'No OTP is needed. Choose a password and you are done.',
  contactType: 'Contact type',
  mobile: 'Mobile Number',
  email: 'Email',
  mobileOrEmail: 'Mobile Number or Email',
  contactHint: 'You log in with it, and finders reach you by it.',
  submit: 'Register QR Code',
  busy: 'Registering...',
  failed: 'Failed to register QR code',
  done: 'QR Code registered successfully! You can now login with your credentials.',
  doneWaiting:
    'Registered. Once the owner of this QR code confirms as your guardian, you can log in.',
  age: 'Are you 18 or older?',
  adult: 'I am 18 or older',
  minor: 'I am younger',
  minorHint: 'Before you can log in, the owner of this QR code confirms as your guardian.',
  registeredText: 'If it was you, log in with your mobile number or email and your password.',
  forgot: 'Forgot Password',
  forgotText: 'Your request goes to the owner of this QR code for approval.',
  emailOrMobile: 'Email or Mobile Number',
  ask: 'Send request',
  askFailed: 'Failed to submit password reset request',
  asked: 'Password reset request submitted successfully!',
  askedLater: 'The QR owner will review your request and contact you.',
}

/** The fields of a new password. */
const password = {
  password: 'Password',
  new: 'New Password',
  confirm: 'Confirm Password',
  hint: 'At least 6 characters',
}

/** Where a child user sets a new password. */
const reset = {
  title: 'Set a New Password',
  description: 'Set a new password for your DriveQR account.',
  signsOut: 'Every device that is signed in with the old one is signed out.',
  submit: 'Set Password',
  busy: 'Setting...',
  failed: 'Failed to set the password',
  deadText:
    'It was used, or 24 hours have passed. Scan your QR code and choose Forgot Password to ask its owner again.',
}

/** Where somebody who claimed a code without an account takes it into one. */
const take = {
  title: 'Keep this QR code',
  description: 'Take the QR code that you claimed into your DriveQR account.',
  claimed:
    '{code} was claimed without an account. In an account you can change its details, add documents and switch it off.',
  account: 'It goes to the account of {account}.',
  add: 'Add to My Account',
  afterwards: 'Afterwards you come back here. The link works until the code is in an account.',
  create: 'Create Account',
  deadText: 'The QR code is in an account already, or the issuer of the code has undone the claim.',
}

/** Where the recipient of a code that is handed over accepts or declines it. */
const transfer = {
  title: 'A vehicle is handed over to you',
  description: 'Accept or decline a QR code that its owner hands over to you.',
  signIn:
    'Log in with the email address that this link was mailed to, or register with it. Afterwards you come back here.',
  until: 'Transfer, valid until {time}',
  vehicleFrom: '{name} hands a vehicle over to you',
  /** a code without a number plate */
  codeFrom: '{name} hands a QR code over to you',
  vehicle: 'Vehicle',
  code: 'Code',
  comesWith: 'Comes with',
  documents: { one: '{n} document', other: '{n} documents' },
  scans: { one: '{n} scan as a total', other: '{n} scans as a total' },
  countsAs: 'Counts as',
  ofLimit: '{n} of your {limit} QR codes',
  noLimit: 'one more of your QR codes',
  details: 'Your contact details',
  detailsHint: 'Finders reach you with these from now on.',
  accept: 'Accept',
  decline: 'Decline',
  noRoom:
    'Your QR code limit is {limit}, and you have {count}. Upgrade or delete one, then come back to this link.',
  upgrade: 'See the plans',
  deadText:
    'It works for 72 hours, until it is accepted, declined or cancelled, and only for the account with the email address that it was mailed to.',
}

/** Mails are plain text too, so that these are whole sentences without marks. */
const mails = {
  from: 'This mail is from DriveQR at {site}.',
  /** to a finder whom the owner answered */
  answered: {
    subject: 'The owner answered',
    reason:
      'You wrote to the owner of a QR code and asked to be told of an answer. There is one now.',
    read: 'Read the answer',
    secret: 'Anyone with the link can read the conversation and answer in it: do not share it.',
    stop: 'If you did not write, ignore this mail. To get no more of them, end the conversation on its page.',
  },
  /** to somebody who claimed a code without an account */
  claimed: {
    subject: 'Your QR code is claimed',
    reason: 'Somebody, probably you, has claimed the QR code {code} with this address.',
    manage:
      'To manage it, verify the address: register with it or, if you already have an account, log in with a one-time code. The QR code is then in your dashboard.',
    login: 'Log in or register',
    ignore: 'If it was not you, someone typed the wrong address. You can ignore this mail.',
  },
  /** to them, when the issuer of the code undoes the claim */
  undone: {
    subject: 'The claim of your QR code was undone',
    reason:
      'The QR code {code} was claimed with this address. The issuer of the code has undone the claim.',
    deleted:
      'The details that were typed in the claim are deleted, and the code no longer shows them.',
    again: 'If the tag is yours, scan it and claim it again, or ask the person who gave it to you.',
  },
  /** to them, when the issuer deletes their account, and when that is done */
  ends: {
    subject: 'Your QR code is switched off',
    reason:
      'The QR code {code} was claimed with this address. The issuer of the code is deleting their account, so the code is off.',
    deleted:
      'In {days} days it is deleted, with the details that were typed in the claim, unless the issuer keeps the account.',
    another: 'If the tag is yours, ask the person who gave it to you for another one.',
  },
  ended: {
    subject: 'Your QR code is deleted',
    reason:
      'The QR code {code} was claimed with this address. The issuer of the code has deleted their account.',
    deleted: 'The code is deleted, with the details that were typed in the claim.',
    takeOff: 'If the tag is yours, take it off: whoever scans it does not find you.',
  },
  /** to a child user whose request the owner of the code approved */
  resetLink: {
    subject: 'Set a new DriveQR password',
    reason: 'You asked for a new password, and the owner of your QR code has approved it.',
    set: 'Set your new password',
    once: 'The link works once, within {hours} hours. Anyone with the link can set your password, so do not share it.',
    ignore: 'If you did not ask for it, ignore this mail and tell the owner of your QR code.',
  },
}

/** What the rules and the API answer. Pages look up what they say instead: `sayRefusal`. */
const REFUSALS = [
  'Please enter the full name',
  'Enter the mobile number finders should call',
  'Please enter a valid mobile number',
  'Please enter a valid email address',
  'Please enter a valid emergency contact phone',
  'Please enter your name',
  'Please enter your mobile number or email',
  'Please enter your email or mobile number',
  'Please enter a password',
  'Password must be at least 6 characters long',
  'Password must be at most 128 characters long',
  'Passwords do not match',
  'An account with this contact already exists',
  'QR code not found',
  'QR code not found or no documents available',
  'This QR code has already been claimed',
  'This QR code must be registered',
  'Please enter the activation code',
  'That activation code is not right',
  'This QR code has already been registered',
  'Please say whether you are 18 or older',
  'This link is no longer valid',
  'A child user cannot take over a QR code',
  'This QR code was deactivated by a moderator',
  'Please choose what it is about',
  'Please write a message',
  'That is no place on Earth',
  'Please enter an e-mail address or a mobile number',
  'Please try again',
  'The owner takes no messages from here',
  'Messages to the owner are not possible now',
  'This conversation is closed',
  'This conversation has ended',
  'Please choose what is wrong',
  'Image is larger than 5 MB',
  'Only JPG, PNG and WebP images are accepted',
  'The photo was not kept. Choose it again.',
] as const

/** What pages in other languages than English say where `refusals` has nothing. */
const otherwise = {
  tooLong: 'This is too long. Please make it shorter.',
  /** then when to try again */
  tooMany: 'Too many tries.',
  photo: 'This photo cannot be sent. Choose another one, or send without it.',
  failed: 'This did not work. Try again in a moment.',
}

export const en = {
  lang: 'en' as Lang,
  page,
  scan,
  message,
  conversation,
  report,
  police,
  holder,
  claim,
  child,
  password,
  reset,
  take,
  transfer,
  mails,
  refusals: /* @__PURE__ */ eachAsItIs(REFUSALS),
  otherwise,
}

function eachAsItIs<Text extends string>(texts: readonly Text[]): Record<Text, string> {
  return Object.fromEntries(texts.map((text) => [text, text])) as never
}

/** All texts of one language. */
export type Catalogue = typeof en
export type ScanWords = Catalogue['scan']
