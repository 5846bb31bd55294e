import type { ReactNode } from 'react'

/** Stroke icons on a 24 × 24 grid, by their meaning. */
export const iconShapes = {
  phone: (
    <path d="M6.5 3.5h3L11 8 9 9.5a12 12 0 0 0 5.5 5.5l1.5-2 4.5 1.5v3a2 2 0 0 1-2.2 2A17 17 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2z" />
  ),
  whatsapp: (
    <>
      <path d="M12 3a9 9 0 0 0-7.7 13.6L3 21l4.5-1.2A9 9 0 1 0 12 3z" />
      <path
        d="m9 7.8 1.2 2.1-.8 1a6 6 0 0 0 3.5 3.5l1-.8 2.1 1.2c0 1.2-1 1.9-2 1.8A7.6 7.6 0 0 1 7.2 9.8c-.1-1 .6-2 1.8-2z"
        fill="currentColor"
        stroke="none"
      />
    </>
  ),
  sms: (
    <>
      <path d="M4 5h16v11h-9l-5 4v-4H4z" />
      <path d="M8 9.5h8M8 12.5h5" />
    </>
  ),
  mail: (
    <>
      <path d="M3 5.5h18v13H3z" />
      <path d="m3.5 7 8.5 6 8.5-6" />
    </>
  ),
  chat: (
    <>
      <path d="M3 4.5h12.5v9H9l-3.5 3v-3H3z" />
      <path d="M18.5 8.5H21v9h-2.5v3l-3.5-3h-5" />
    </>
  ),
  lost: (
    <>
      <path d="M12 21.5s7-6.5 7-12a7 7 0 0 0-14 0c0 5.5 7 12 7 12z" />
      <path d="M10 8.3a2 2 0 1 1 3 1.7c-.7.4-1 .8-1 1.6M12 14v.1" />
    </>
  ),
  gift: (
    <path d="M4 9h16v4H4zM5.5 13v7.5h13V13M12 9v11.5M12 9C9 9 7.5 7.6 7.5 6.2a1.9 1.9 0 0 1 2-1.9C11 4.3 12 6.5 12 9c0-2.5 1-4.7 2.5-4.7a1.9 1.9 0 0 1 2 1.9C16.5 7.6 15 9 12 9z" />
  ),
  medic: <path d="M9.5 4h5v5.5H20v5h-5.5V20h-5v-5.5H4v-5h5.5z" />,
  key: (
    <>
      <circle cx="7.8" cy="16.2" r="4.3" />
      <path d="M11 13 20.5 3.5M16 8l3 3M13.2 10.8l1.8 1.8" />
    </>
  ),
  shield: (
    <>
      <path d="m12 3 8 3v5.5c0 4.7-3.2 8-8 9.5-4.8-1.5-8-4.8-8-9.5V6z" />
      <path d="m8.5 11.8 2.5 2.5 4.5-5" />
    </>
  ),
  drop: <path d="M12 3s6.5 7 6.5 11.3a6.5 6.5 0 0 1-13 0C5.5 10 12 3 12 3z" />,
  bag: <path d="M5 8.5h14l1 12H4zM8.5 12V7a3.5 3.5 0 0 1 7 0v5" />,
  car: <path d="M4 16v-4l2-6h12l2 6v4zM4 12h16M5.5 16v2.5M18.5 16v2.5M7.5 14h1M15.5 14h1" />,
  doc: <path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6" />,
  image: (
    <>
      <path d="M3.5 5h17v14h-17zM3.5 16l5-5 4 4 3-3 5 5" />
      <circle cx="15.5" cy="9" r="1.3" />
    </>
  ),
  gallery: <path d="M3.5 3.5h7v9h-7zM13.5 3.5h7v5h-7zM13.5 11.5h7v9h-7zM3.5 15.5h7v5h-7z" />,
  chart: <path d="M4 20h16M6.5 20v-6M11 20V9M15.5 20v-8M20 20V4" />,
  reset: (
    <>
      <path d="M5 12a7 7 0 1 0 2.5-5.4M7.5 2.8v4h4" />
      <path d="M9.8 12.2h4.4v3.3H9.8zM10.7 12v-1a1.3 1.3 0 0 1 2.6 0v1" />
    </>
  ),
  search: (
    <>
      <circle cx="10.8" cy="10.8" r="6.3" />
      <path d="m15.5 15.5 5 5" />
    </>
  ),
  'grid-small': (
    <path d="M4 4h4v4H4zM10 4h4v4h-4zM16 4h4v4h-4zM4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4zM4 16h4v4H4zM10 16h4v4h-4zM16 16h4v4h-4z" />
  ),
  'grid-medium': <path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z" />,
  'grid-large': <path d="M4 4h16v7H4zM4 13h16v7H4z" />,
  list: <path d="M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1" />,
  plus: <path d="M12 5v14M5 12h14" />,
  upload: <path d="M12 16V4M7 9l5-5 5 5M4 16v4h16v-4" />,
  download: <path d="M12 4v12M7 11l5 5 5-5M4 16v4h16v-4" />,
  share: (
    <>
      <circle cx="6" cy="12" r="2.5" />
      <circle cx="17.5" cy="5.5" r="2.5" />
      <circle cx="17.5" cy="18.5" r="2.5" />
      <path d="m8.3 10.8 7-4M8.3 13.2l7 4" />
    </>
  ),
  link: (
    <path d="m10 14 4-4M9 8l2.5-2.5a4 4 0 0 1 5.7 0l1.3 1.3a4 4 0 0 1 0 5.7L16 15M15 16l-2.5 2.5a4 4 0 0 1-5.7 0l-1.3-1.3a4 4 0 0 1 0-5.7L8 9" />
  ),
  edit: <path d="m4 20 1-5L15.5 4.5l4 4L9 19zM13 7l4 4" />,
  trash: <path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5" />,
  eye: (
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  close: <path d="M6 6l12 12M18 6 6 18" />,
  check: <path d="m5 12.5 4.5 4.5L19 7" />,
  calendar: <path d="M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4" />,
  alert: <path d="M12 3.5 22 20.5H2zM12 10v4.5M12 17.5v.1" />,
  hide: (
    <path d="m3 3 18 18M10 5.7a9.6 9.6 0 0 1 2-.2c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.6M6 7.4A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4-.9M9.8 10.2a2.8 2.8 0 0 0 4 4" />
  ),
  palette: (
    <>
      <path d="M12 3.5c5 0 8.5 3.2 8.5 7.5 0 3-2 4.5-4.5 4.5h-2c-1.6 0-2 1.5-1.2 2.6.8 1.2 0 2.4-1.3 2.4a8.5 8.5 0 0 1 .5-17z" />
      <path d="M7.5 12h.1M10 8h.1M15 8.5h.1" strokeWidth="3" />
    </>
  ),
  copy: <path d="M8.5 8.5h11v12h-11zM15.5 8.5v-5h-11v12h4" />,
  refresh: (
    <path d="M4.5 12a7.5 7.5 0 0 1 13-5M19.5 12a7.5 7.5 0 0 1-13 5M18 3v4.3h-4.3M6 21v-4.3h4.3" />
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 11v5.5M12 7.5v.1" />
    </>
  ),
  more: <path d="M5 12h.1M12 12h.1M19 12h.1" strokeWidth="3.5" />,
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  users: (
    <>
      <circle cx="9" cy="8" r="3.5" />
      <path d="M2.5 20c0-4 2.5-6.5 6.5-6.5s6.5 2.5 6.5 6.5M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14c2.3.8 3.5 3 3.5 6" />
    </>
  ),
  user: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4 21c0-4.5 3-7.5 8-7.5s8 3 8 7.5" />
    </>
  ),
  logout: <path d="M14 4H5v16h9M10 12h11M17 8l4 4-4 4" />,
  crown: <path d="M4 18h16M4 15 3 6l5.5 4L12 4l3.5 6L21 6l-1 9z" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v5l3.5 2" />
    </>
  ),
  back: <path d="M20 12H5M11 6l-6 6 6 6" />,
  up: <path d="m5 15 7-7 7 7" />,
  down: <path d="m5 9 7 7 7-7" />,
  next: <path d="M4 12h15M13 6l6 6-6 6" />,
  qr: (
    <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM20 14v2M17.5 20H20v-2M14 20v-.5M7 7h.1M17 7h.1M7 17h.1" />
  ),
  finger: (
    <path d="M6.5 18.5c.8-2 1-3.6 1-6a4.5 4.5 0 0 1 9 0c0 3-.3 5-1 7.5M12 12.5c0 3.3-.4 5.7-1.5 8.5M4.4 14.5c.2-.7.3-1.3.3-2A7.3 7.3 0 0 1 17 7.2M19 10.5c.3 2.6.2 5-.2 7.5" />
  ),
  print: <path d="M7 9V3h10v6M7 17H3.5V9h17v8H17M7 14h10v7H7z" />,
  globe: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9s.5-6 3.5-9z" />
    </>
  ),
  home: <path d="m3.5 11 8.5-7.5 8.5 7.5M6 9.5V20h12V9.5M10 20v-6h4v6" />,
  gear: (
    <>
      <circle cx="12" cy="12" r="3.2" />
      <path d="M12 2.8v3M12 18.2v3M2.8 12h3M18.2 12h3M5.5 5.5l2.1 2.1M16.4 16.4l2.1 2.1M5.5 18.5l2.1-2.1M16.4 7.6l2.1-2.1" />
    </>
  ),
  card: <path d="M3 5.5h18v13H3zM3 10h18M6.5 15h4" />,
  ticket: <path d="M3 6h18v4a2 2 0 0 0 0 4v4H3v-4a2 2 0 0 0 0-4zM14 6.5v2M14 11v2M14 15.5v2" />,
  tree: <path d="M9 3.5h6v4H9zM3 16.5h6v4H3zM15 16.5h6v4h-6zM12 7.5V12M6 16.5V12h12v4.5" />,
  database: (
    <>
      <ellipse cx="12" cy="6" rx="8" ry="3" />
      <path d="M4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3" />
    </>
  ),
  lock: <path d="M5 11h14v10H5zM8 11V7.5a4 4 0 0 1 8 0V11M12 15v2.5" />,
  offline: (
    <path d="M3 3l18 18M2.5 9.5A14 14 0 0 1 8 6.3M12 5.5a14 14 0 0 1 9.5 4M6 13.5a9 9 0 0 1 4-2.3M18 13.5a9 9 0 0 0-2-1.4M12 19.5v.1" />
  ),
  laptop: <path d="M5 5h14v10H5zM4.5 15 2.5 19h19l-2-4" />,
  mobile: <path d="M7 2.5h10v19H7zM11 18.5h2" />,
  pin: (
    <>
      <path d="M12 21.5s7-6.5 7-12a7 7 0 0 0-14 0c0 5.5 7 12 7 12z" />
      <circle cx="12" cy="9.5" r="2.5" />
    </>
  ),
  moon: <path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z" />,
  google: (
    <path
      d="M20.5 10.5h-8.3v3.3h4.8a5 5 0 1 1-1.5-5.3l2.4-2.3a8.3 8.3 0 1 0 2.7 6.1c0-.6 0-1.2-.1-1.8z"
      fill="currentColor"
      stroke="none"
    />
  ),
  bolt: <path d="M13 2.5 5 13.5h6l-1 8 8-11h-6z" />,
  headset: (
    <path d="M4 14v-2a8 8 0 0 1 16 0v2M4 13.5h3.5v6H4zM16.5 13.5H20v6h-3.5zM20 19.5c0 1.5-2.5 2.2-5 2.2" />
  ),
  clip: (
    <path d="m20 11.5-8 8a5 5 0 0 1-7-7l8.5-8.5a3.4 3.4 0 0 1 4.8 4.8L10 17a1.7 1.7 0 0 1-2.4-2.4L15 7.2" />
  ),
  send: <path d="M3.5 11.5 20.5 4l-6 16.5-3.5-7zM11 13.5 20.5 4" />,
  bell: <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21.5h4" />,
  mute: <path d="m3.5 3.5 17 17M8.3 6.3A6 6 0 0 1 18 11v4M6 10v6.5l-1.5 2H16M10 21.5h4" />,
  block: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="m5.8 5.8 12.4 12.4" />
    </>
  ),
  swap: <path d="M4 8.5h15M15 4.5l4 4-4 4M20 15.5H5M9 11.5l-4 4 4 4" />,
  flag: <path d="M5 21.5V4h14l-2.5 4.5L19 13H5" />,
  chev: <path d="m9 5 7 7-7 7" />,
  plug: <path d="M8.5 3v5M15.5 3v5M5.5 8h13v4a6.5 6.5 0 0 1-13 0zM12 18.5v3" />,
  ntfy: (
    <>
      <path d="M4 4.5h16v12h-8.5l-4.5 4v-4H4z" />
      <path d="m8 8.3 2.5 2.2L8 12.7M13 12.7h3.5" />
    </>
  ),
  sliders: (
    <>
      <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
      <circle cx="15" cy="7" r="2" />
      <circle cx="9" cy="17" r="2" />
    </>
  ),
  table: <path d="M3.5 5h17v14h-17zM3.5 10h17M3.5 14.5h17M9.5 5v14" />,
  select: <path d="M4 4h16v16H4zM8 12.2l2.8 2.8 5.2-6" />,
  power: <path d="M12 3v8.5M7 6.2a8 8 0 1 0 10 0" />,
  parking: (
    <>
      <path d="M4 3.5h16v17H4z" />
      <path d="M9.5 17V7.5h3.3a3.1 3.1 0 0 1 0 6.2H9.5" />
    </>
  ),
  lamp: (
    <path d="M12 6.5H8.5C5.5 6.5 3.5 9 3.5 12s2 5.5 5 5.5H12zM15.5 8l5-1M15.5 12h5M15.5 16l5 1" />
  ),
  damage: (
    <path d="M2.5 18v-4L4 9.5h6.5L13 14v4zM2.5 14H13M4.5 18v2M11 18v2M17.5 4v2.5M14.2 5.8l1.6 1.7M20.8 5.8l-1.6 1.7M14.5 10.5l1.8-.8M21 10.5l-1.9-.8M17.5 11.5V14" />
  ),
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof iconShapes
