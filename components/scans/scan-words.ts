export type ScanLang = 'en' | 'hi'

const en = {
  title: 'Found keys',
  found: 'Found these keys?',
  oneTap: 'One tap reaches the owner.',
  noMessages: 'Messages to the owner are not possible now.',
  owner: 'Owner',
  reach: 'Reach the owner',
  call: 'Call owner',
  written: 'Message is already written',
  message: (code: string) =>
    `Hello! I found your keys. I scanned the DriveQR code on them (${code}). How can I return them to you?`,
  subject: 'I found your keys',
  email: 'Email',
  trust: 'The owner can see this scan.',
  trustRelay: 'Your number stays hidden.',
  trustNobody: 'No app and no account needed.',
  messageOwner: 'Message owner',
  messageOnly: 'No app, no login, no number',
  messageToo: 'Without showing your number',
  lost: 'Reported lost',
  lostOn: (day: string) => `Reported lost on ${day}`,
  reward: 'Reward:',
  nothingToPay: 'Nobody is asked to pay anything here.',
  report: 'Report this page',
  accident: 'Accident? Someone hurt?',
  call112: 'Call 112',
  services: 'Ambulance, police, fire',
  emergencyContact: 'Emergency contact',
  bloodGroup: 'Blood group',
  police: 'Police: vehicle documents',
  childUser: 'Is this your code? Forgot Password',
  privateDetails: 'Private details',
  pinHint: 'If the owner told you the PIN, enter it here.',
  showDetails: 'Show details',
  incorrect: 'Incorrect PIN',
  malformed: 'PIN must be 4 to 6 digits',
  locked: (minutes: number) =>
    `Too many wrong tries. Try again in ${minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`}.`,
  licence: 'Driving licence number',
  policy: 'Insurance policy number',
  expiry: 'Insurance expiry date',
  notes: 'Notes',
  nothing: 'The owner has not written anything here.',
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
  notFound: 'QR Code Not Found',
  notFoundText: 'This QR code is invalid or no longer active. Please check the code and try again.',
  tryAgain: 'Try again',
  busy: 'Too many scans',
  busyText: (minutes: number) =>
    `Very many codes were opened from your network. Try again in ${minutes} min.`,
}

const hi: typeof en = {
  title: 'चाबी मिली',
  found: 'क्या आपको ये चाबियाँ मिली हैं?',
  oneTap: 'मालिक से बात करने के लिए नीचे दबाएँ।',
  noMessages: 'अभी मालिक को संदेश नहीं भेजे जा सकते।',
  owner: 'मालिक',
  reach: 'मालिक से संपर्क करें',
  call: 'मालिक को फ़ोन करें',
  written: 'संदेश पहले से लिखा हुआ है',
  message: (code) =>
    `नमस्ते! मुझे आपकी चाबियाँ मिली हैं। मैंने उन पर लगा DriveQR कोड (${code}) स्कैन किया है। इन्हें आप तक कैसे पहुँचाऊँ?`,
  subject: 'मुझे आपकी चाबियाँ मिली हैं',
  email: 'ईमेल',
  trust: 'मालिक यह स्कैन देख सकते हैं।',
  trustRelay: 'आपका नंबर छिपा रहता है।',
  trustNobody: 'न ऐप चाहिए, न खाता।',
  messageOwner: 'मालिक को संदेश भेजें',
  messageOnly: 'न ऐप, न लॉगिन, न नंबर',
  messageToo: 'अपना नंबर दिखाए बिना',
  lost: 'खोने की सूचना',
  lostOn: (day) => `${day} को खोने की सूचना दी गई`,
  reward: 'इनाम:',
  nothingToPay: 'यहाँ किसी से पैसे नहीं माँगे जाते।',
  report: 'इस पेज की शिकायत करें',
  accident: 'दुर्घटना? किसी को चोट लगी है?',
  call112: '112 पर फ़ोन करें',
  services: 'एम्बुलेंस, पुलिस, दमकल',
  emergencyContact: 'आपातकालीन संपर्क',
  bloodGroup: 'रक्त समूह',
  police: 'पुलिस: वाहन के दस्तावेज़',
  childUser: 'क्या यह आपका कोड है? पासवर्ड भूल गए',
  privateDetails: 'निजी जानकारी',
  pinHint: 'अगर मालिक ने आपको PIN बताया है, तो यहाँ लिखें।',
  showDetails: 'जानकारी देखें',
  incorrect: 'PIN ग़लत है',
  malformed: 'PIN 4 से 6 अंकों का होना चाहिए',
  locked: (minutes) =>
    `बहुत बार ग़लत PIN डाला गया। ${minutes < 120 ? `${minutes} मिनट` : `${Math.ceil(minutes / 60)} घंटे`} बाद फिर कोशिश करें।`,
  licence: 'ड्राइविंग लाइसेंस नंबर',
  policy: 'बीमा पॉलिसी नंबर',
  expiry: 'बीमा की अंतिम तारीख',
  notes: 'टिप्पणी',
  nothing: 'मालिक ने यहाँ कुछ नहीं लिखा है।',
  preview: 'चाबी पाने वाले को यही दिखता है। यह स्कैन गिना नहीं जाता।',
  dashboard: 'डैशबोर्ड पर जाएँ',
  sample: 'यह एक नमूना पेज है। इसका मालिक असल में नहीं है।',
  create: 'मेरा QR कोड बनाएँ',
  keep: 'यह कोड अपने पास रखें: खाता बनाएँ',
  ownerNote: 'मालिक का संदेश',
  serviceNote: 'DriveQR का संदेश',
  proceed: 'संपर्क जानकारी देखें',
  welcome: 'आपका फिर से स्वागत है',
  welcomeText: 'यह आपका अपना QR कोड है। आपको डैशबोर्ड पर ले जाया जा रहा है…',
  dashboardNow: 'अभी डैशबोर्ड पर जाएँ',
  unregistered: 'यह QR कोड रजिस्टर नहीं है',
  unregisteredText:
    'यह QR कोड अभी किसी ने रजिस्टर नहीं किया है। अगर यह आपका है, तो अभी रजिस्टर करें। एक मिनट लगता है और OTP की ज़रूरत नहीं है।',
  register: 'QR रजिस्टर करें',
  notFound: 'QR कोड नहीं मिला',
  notFoundText: 'यह QR कोड ग़लत है या अब चालू नहीं है। कृपया कोड जाँचकर फिर कोशिश करें।',
  tryAgain: 'फिर कोशिश करें',
  busy: 'बहुत अधिक स्कैन',
  busyText: (minutes) => `आपके नेटवर्क से बहुत सारे कोड खोले गए। ${minutes} मिनट बाद फिर कोशिश करें।`,
}

export type ScanWords = typeof en

export const scanWords: Record<ScanLang, ScanWords> = { en, hi }

/** The language of that name, if there are pages in it. */
export function toScanLang(name: string | undefined): ScanLang | undefined {
  return name === 'en' || name === 'hi' ? name : undefined
}

/** The preferred of the two languages by Accept-Language; English when neither is named. */
export function preferredLang(acceptLanguage = ''): ScanLang {
  const preferences = acceptLanguage.toLowerCase().split(',').map(toPreference)
  const [first] = preferences
    .filter(({ lang, weight }) => (lang === 'en' || lang === 'hi') && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return first?.lang === 'hi' ? 'hi' : 'en'
}

function toPreference(text: string) {
  const [tag = '', weight = '1'] = text.trim().split(/\s*;\s*q=/)
  return { lang: tag.split('-')[0], weight: Number(weight) || 0 }
}
