/** Loaded before a server of the tests, so that what it asks of Telegram goes to a server of the test. */
const elsewhere = process.env.TELEGRAM_OF_THE_TEST ?? ''
const realFetch = globalThis.fetch
globalThis.fetch = (address, options) =>
  realFetch(String(address).replace('https://api.telegram.org', elsewhere), options)
