/**
 * The words that most guessed passwords are made of, in lower case and without the digits and signs around
 * them, and the rows of keys and digits. A kept small list: those that lead the lists of leaked passwords,
 * and the words that people in India add to them.
 */
const WORDS = new Set(
  `abc abcd abcde abcdef abcdefg abcdefgh access account admin administrator airtel ajay akash aman amit
  andrew angel anil anita anjali ankit apple arjun arsenal asdf asdfg asdfgh asdfghjk asdfghjkl ashok ashley
  august avengers azerty babygirl baseball basketball batman bharat bhavani bismillah blink butterfly changeme
  charlie cheese chelsea chennai chocolate computer cookie cricket daniel december deepak default delhi
  demo dhoni dragon driveqr durga facebook family february flower football forever freedom friday friends
  ganesh ganesha ginger girish google guest gujarat hannah hanuman hello helloworld hunter hyderabad iloveu
  iloveyou india indian jaihind jaimatadi january jaya jennifer jessica jesus jordan joshua july june
  justin kamal karan kavita killer kiran kolkata krishna kumar lakshmi laxmi letmein liverpool login love
  lovely loveme lucky maggie mahadev mahesh manchester manish march master matrix maverick meera michael
  michelle monday monika monkey monsoon mumbai mustang mypassword naruto neha newpassword nicole nikita
  ninja nothing november october omnamahshivaya omsairam pass passphrase passw passwd passwort password
  passwordpassword patel pepper phoenix pokemon pooja prakash prince princess priya pune purple q qaz
  qazwsx qazwsxedc qwe qwer qwert qwerty qwertyqwerty qwertyu qwertyui qwertyuio qwertyuiop qwertz rahul
  rajesh rajini raju rakesh ramesh ranger ravi rekha reliance ritu rohit root sachin sairam samsung sandeep
  sanjay saturday scooter secret secure security september shadow sharma shiva shivam shyam silver singh
  soccer starwars summer sunday sunita suneeta sunil sunshine superman suresh sweety system temp tendulkar
  test tester testing thomas thunder tiger tigger trustno unknown user vijay vikram vinod virat wasd
  welcome welcomewelcome whatever william winter xxx yellow yogesh zaq zxc zxcv zxcvb zxcvbn zxcvbnm`.split(
    /\s+/,
  ),
)

/** Signs that people write for letters. */
const SIGNS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Rows that are typed without thinking, in both directions. */
const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
]

/** The text of the meter and of the server for such a password. */
export const COMMON_PASSWORD = "This password is on every attacker's list"

/**
 * Returns whether a password is among those that attackers try first: a common word with digits and
 * signs around it or in place of its letters, a row of keys, a few characters that repeat, or a
 * date.
 */
export function isCommonPassword(password: string): boolean {
  const typed = password.toLowerCase().normalize('NFKC').replace(/\s/g, '')
  if (isRepeated(typed) || isRow(typed) || /^\d{6,8}$/.test(typed)) return true
  return [typed, spell(typed), spell(wordIn(typed))].some((each) => WORDS.has(wordIn(each)))
}

/** Without the digits and signs around it. */
function wordIn(text: string): string {
  return text.replace(/^[\d\W_]+|[\d\W_]+$/g, '')
}

function spell(text: string): string {
  return [...text].map((sign) => SIGNS[sign] ?? sign).join('')
}

/** `aaaaaa`, `121212`, `abcabc`: at most four characters again and again. */
function isRepeated(text: string): boolean {
  return /^(.{1,4})\1+$/.test(text)
}

function isRow(text: string): boolean {
  const backwards = [...text].reverse().join('')
  return ROWS.some((row) => row.includes(text) || row.includes(backwards))
}
