/** In this order: most browsers also claim to be those that are further down. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOP(?:R|T|X)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** A name by which somebody recognises their device: `Chrome on Android`. */
export function deviceName(userAgent = ''): string {
  const find = (names: [RegExp, string][]) => names.find(([is]) => is.test(userAgent))?.[1]
  const [browser, system] = [find(BROWSERS) ?? 'A browser', find(SYSTEMS)]
  return system ? `${browser} on ${system}` : browser
}
