/** Written from the English texts by `npx vitest run tests/house/locales -u`. */
export type Slots = {
  'page.again.second': { n: number }
  'page.again.minute': { n: number }
  'page.again.hour': { n: number }
  'page.again.day': { n: number }
  'scan.greeting': { code: string | number }
  'scan.lostOn': { day: string | number }
  'message.within': { n: string | number }
  'conversation.sharesNumber': { name: string | number }
  'police.valid': { day: string | number }
  'police.ended': { day: string | number }
  'claim.picture': { code: string | number }
  'take.claimed': { code: string | number }
  'take.account': { account: string | number }
  'transfer.until': { time: string | number }
  'transfer.vehicleFrom': { name: string | number }
  'transfer.codeFrom': { name: string | number }
  'transfer.documents': { n: number }
  'transfer.scans': { n: number }
  'transfer.ofLimit': { n: string | number; limit: string | number }
  'transfer.noRoom': { limit: string | number; count: string | number }
  'mails.from': { site: string | number }
  'mails.claimed.reason': { code: string | number }
  'mails.undone.reason': { code: string | number }
  'mails.ends.reason': { code: string | number }
  'mails.ends.deleted': { days: string | number }
  'mails.ended.reason': { code: string | number }
  'mails.resetLink.once': { hours: string | number }
}
