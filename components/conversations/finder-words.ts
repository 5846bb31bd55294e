import type { ScanLang } from '#components/scans/scan-words.ts'
import { type MessageReason, REASON_LABELS } from '#domain/conversations/conversation.ts'
import type { FinderConversation } from '#domain/conversations/conversation-view.ts'
import { MESSAGE_PROBLEMS, TRY_AGAIN } from '#domain/conversations/message.ts'
import { REPORT_TEXT_LENGTH, type ReportReason } from '#domain/conversations/report.ts'
import { CONVERSATION_TEXTS } from '#domain/conversations/rules.ts'
import type { DomainError } from '#domain/error.ts'
import { IMAGE_FILES } from '#domain/papers/file-kind.ts'

/** The words of the pages on which a finder writes, beside those of the scan page. */
const en = {
  back: 'Back',
  optional: '(optional)',

  about: 'What is it about?',
  reasons: REASON_LABELS as Record<MessageReason, string>,
  yourMessage: 'Your message',
  where: 'Where is it?',
  shareLocation: 'Share my location',
  willBeSent: 'This will be sent',
  /** `{n}` is the number */
  within: 'within {n} metres',
  remove: 'Remove',
  noLocation: 'Your location could not be found. Write where it is.',
  photo: 'Photo',
  photoHint: 'JPEG, PNG or WebP, up to 5 MB',
  photoRefused: 'This photo cannot be sent. Choose another one, or send without it.',
  photoAgain: 'The photo was not kept. Choose it again.',
  aboutYou: 'About you',
  yourName: 'Your name',
  tellMe: 'Tell me when the owner answers',
  tellMeHint: 'Email or mobile number. We write to an email only.',
  showIt: 'Show it to the owner',
  showItHint: 'Without the tick it stays hidden.',
  send: 'Send message',
  answerPlace: 'The answer comes to a page that only you have.',
  refusals: {
    reason: MESSAGE_PROBLEMS.reason as string,
    text: MESSAGE_PROBLEMS.text as string,
    location: MESSAGE_PROBLEMS.location as string,
    reply_to: MESSAGE_PROBLEMS.reply_to as string,
    again: TRY_AGAIN as string,
    blocked: CONVERSATION_TEXTS.blocked as string,
    closed: CONVERSATION_TEXTS.closed as string,
    paused: CONVERSATION_TEXTS.paused as string,
    tooLarge: IMAGE_FILES.tooLarge,
    wrongKind: IMAGE_FILES.wrongKind,
  },
  tooLong: 'This is too long. Please make it shorter.',
  tooMany: (minutes: number) => `Too much was sent from here. Try again in ${minutes} min.`,
  failed: 'This did not work. Try again in a moment.',
  offline: 'There is no network here. What you wrote stays on this page. Try again in a moment.',
  otherWays: 'Other ways to reach the owner',
  noMessages: 'No messages for this code',
  noMessagesText: 'Nobody reads messages for this code. Its page says what else you can do.',
  toCode: 'To the page of the code',

  conversation: 'Conversation',
  keep: 'Keep this page. The owner’s answer appears here.',
  copy: 'Copy',
  copied: 'Copied',
  you: 'You',
  owner: 'Owner',
  sharesNumber: (name: string) => `${name} shares this number:`,
  at: (name: string, time: string) => `${name}, ${time}`,
  yourPhoto: 'The photo that you sent',
  answer: 'Answer',
  look: 'Look for an answer',
  status: {
    open: '',
    closed: 'This conversation is closed. You can read it here, but no longer answer.',
    returned: 'The owner has the keys back. Thank you.',
    paused: 'Messages to the owner are not possible now. You can read what was written.',
  } satisfies Record<FinderConversation['status'], string>,
  notSent: 'This was not sent:',
  stop: 'Stop',
  stopText: 'End this conversation and delete what I shared.',
  stopTitle: 'End this conversation?',
  stopQuestion:
    'Place, location, photo and the way to reach you are deleted at once. Nobody can write here any more.',
  stopNo: 'Keep the conversation',
  ended: 'Ended',
  endedTitle: 'This conversation has ended',
  endedText:
    'Whatever you shared in it is deleted, or will be. If you still have the tag in hand, scan it again.',

  reportHint: 'A moderator reads it. The owner is not told who you are.',
  wrong: 'What is wrong?',
  wrongs: {
    threat: 'It threatens somebody',
    spam: 'It is advertising',
    offensive: 'It is offensive',
    fraud: 'It tries to cheat people',
    other: 'Something else',
  } satisfies Record<ReportReason, string>,
  happened: 'What happened?',
  sendReport: 'Send report',
  reportProblems: {
    reason: 'Please choose what is wrong',
    text: `At most ${REPORT_TEXT_LENGTH} characters fit here`,
  },
  reported: 'Thank you',
  reportedText: 'A moderator will look at the page.',
}

const hi: typeof en = {
  back: 'वापस',
  optional: '(ज़रूरी नहीं)',

  about: 'बात क्या है?',
  reasons: {
    found: 'मुझे ये चाबियाँ मिली हैं',
    parking: 'गाड़ी रास्ता रोक रही है',
    lights: 'लाइट जल रही है या खिड़की खुली है',
    damage: 'गाड़ी को टक्कर लगी, नुकसान हुआ या उसे उठा ले गए',
    accident: 'दुर्घटना। किसी को चोट लगी है',
    other: 'कुछ और',
  },
  yourMessage: 'आपका संदेश',
  where: 'यह कहाँ है?',
  shareLocation: 'मेरी लोकेशन भेजें',
  willBeSent: 'यह भेजा जाएगा',
  within: '{n} मीटर के अंदर',
  remove: 'हटाएँ',
  noLocation: 'आपकी लोकेशन नहीं मिली। जगह लिखकर बताएँ।',
  photo: 'फ़ोटो',
  photoHint: 'JPEG, PNG या WebP, 5 MB तक',
  photoRefused: 'यह फ़ोटो नहीं भेजी जा सकती। दूसरी चुनें या बिना फ़ोटो के भेजें।',
  photoAgain: 'फ़ोटो नहीं रखी गई। उसे फिर से चुनें।',
  aboutYou: 'आपके बारे में',
  yourName: 'आपका नाम',
  tellMe: 'मालिक के जवाब की ख़बर यहाँ दें',
  tellMeHint: 'ईमेल या मोबाइल नंबर। हम सिर्फ़ ईमेल पर लिखते हैं।',
  showIt: 'मालिक को दिखाएँ',
  showItHint: 'निशान न लगाएँ तो यह छिपा रहता है।',
  send: 'संदेश भेजें',
  answerPlace: 'जवाब उस पेज पर आएगा जो सिर्फ़ आपके पास है।',
  refusals: {
    reason: 'कृपया चुनें कि बात क्या है',
    text: 'कृपया संदेश लिखें',
    location: 'पृथ्वी पर ऐसी कोई जगह नहीं है',
    reply_to: 'कृपया ईमेल पता या मोबाइल नंबर लिखें',
    again: 'कृपया फिर कोशिश करें',
    blocked: 'मालिक यहाँ से संदेश नहीं लेते',
    closed: 'यह बातचीत बंद हो गई है',
    paused: 'अभी मालिक को संदेश नहीं भेजे जा सकते',
    tooLarge: 'फ़ोटो 5 MB से बड़ी है',
    wrongKind: 'केवल JPG, PNG और WebP फ़ोटो भेजी जा सकती हैं',
  },
  tooLong: 'यह बहुत लंबा है। कृपया इसे छोटा करें।',
  tooMany: (minutes) => `यहाँ से बहुत कुछ भेजा गया है। ${minutes} मिनट बाद फिर कोशिश करें।`,
  failed: 'यह नहीं हो पाया। थोड़ी देर में फिर कोशिश करें।',
  offline: 'यहाँ नेटवर्क नहीं है। आपका लिखा इस पेज पर बना रहेगा। थोड़ी देर में फिर कोशिश करें।',
  otherWays: 'मालिक तक पहुँचने के दूसरे तरीके',
  noMessages: 'इस कोड पर संदेश नहीं भेजे जा सकते',
  noMessagesText: 'इस कोड के संदेश कोई नहीं पढ़ता। आप और क्या कर सकते हैं, यह कोड के पेज पर लिखा है।',
  toCode: 'कोड के पेज पर जाएँ',

  conversation: 'बातचीत',
  keep: 'इस पेज को संभालकर रखें। मालिक का जवाब यहीं आएगा।',
  copy: 'कॉपी करें',
  copied: 'कॉपी हो गया',
  you: 'आप',
  owner: 'मालिक',
  sharesNumber: (name) => `${name} ने यह नंबर दिया है:`,
  at: (name, time) => `${name}, ${time}`,
  yourPhoto: 'आपकी भेजी हुई फ़ोटो',
  answer: 'जवाब दें',
  look: 'जवाब आया है या नहीं, देखें',
  status: {
    open: '',
    closed: 'यह बातचीत बंद हो गई है। आप इसे पढ़ सकते हैं, पर अब जवाब नहीं दे सकते।',
    returned: 'मालिक को चाबियाँ वापस मिल गई हैं। धन्यवाद।',
    paused: 'अभी मालिक को संदेश नहीं भेजे जा सकते। जो लिखा गया है उसे आप पढ़ सकते हैं।',
  },
  notSent: 'यह नहीं भेजा गया:',
  stop: 'रोकें',
  stopText: 'यह बातचीत ख़त्म करें और मेरी दी हुई जानकारी मिटाएँ।',
  stopTitle: 'यह बातचीत ख़त्म करें?',
  stopQuestion:
    'जगह, लोकेशन, फ़ोटो और आप तक पहुँचने का पता तुरंत मिटा दिए जाएँगे। इसके बाद यहाँ कोई नहीं लिख सकेगा।',
  stopNo: 'बातचीत रहने दें',
  ended: 'ख़त्म',
  endedTitle: 'यह बातचीत ख़त्म हो गई है',
  endedText:
    'आपने इसमें जो कुछ दिया था, वह मिटा दिया गया है या मिटा दिया जाएगा। टैग अब भी आपके हाथ में हो तो उसे फिर से स्कैन करें।',

  reportHint: 'इसे एक मॉडरेटर पढ़ता है। मालिक को नहीं बताया जाता कि आप कौन हैं।',
  wrong: 'क्या ग़लत है?',
  wrongs: {
    threat: 'यह किसी को धमकाता है',
    spam: 'यह विज्ञापन है',
    offensive: 'यह अपमानजनक है',
    fraud: 'यह लोगों को ठगने की कोशिश है',
    other: 'कुछ और',
  },
  happened: 'क्या हुआ?',
  sendReport: 'शिकायत भेजें',
  reportProblems: {
    reason: 'कृपया चुनें कि क्या ग़लत है',
    text: `यहाँ ज़्यादा से ज़्यादा ${REPORT_TEXT_LENGTH} अक्षर लिखे जा सकते हैं`,
  },
  reported: 'धन्यवाद',
  reportedText: 'एक मॉडरेटर इस पेज को देखेगा।',
}

export type FinderWords = typeof en

export const finderWords: Record<ScanLang, FinderWords> = { en, hi }

/** A refusal of the server in the page's language. English pages say what calls answer. */
export function refusalIn(lang: ScanLang, error: DomainError, field?: string): string {
  const { code, message, retryAfter } = error
  const words = finderWords[lang]
  if (code === 'too_many' && retryAfter) return words.tooMany(Math.ceil(retryAfter / 60))
  const known = Object.entries(en.refusals).find(([, sentence]) => sentence === message)
  if (known) return words.refusals[known[0] as keyof typeof en.refusals]
  if (lang === 'en') return message
  if (code === 'unsupported' || code === 'too_large') return words.photoRefused
  // Of a field all else is known.
  return field ? words.tooLong : words.failed
}
