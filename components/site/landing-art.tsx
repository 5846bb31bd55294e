/** A real code, which reads "DriveQR: lost keys find their way home." */
const CODE =
  'M0 0.5h7m2 0h1m1 0h1m1 0h1m2 0h1m1 0h3m1 0h7M0 1.5h1m5 0h1m4 0h1m2 0h3m5 0h1m5 0h1M0 2.5' +
  'h1m1 0h3m1 0h1m1 0h1m1 0h3m1 0h1m1 0h1m1 0h3m1 0h1m1 0h3m1 0h1M0 3.5h1m1 0h3m1 0h1m1 0h1' +
  'm2 0h4m2 0h3m2 0h1m1 0h3m1 0h1M0 4.5h1m1 0h3m1 0h1m1 0h1m1 0h3m3 0h1m1 0h3m1 0h1m1 0h3m1' +
  ' 0h1M0 5.5h1m5 0h1m1 0h2m2 0h1m1 0h2m2 0h1m1 0h1m1 0h1m5 0h1M0 6.5h7m1 0h1m1 0h1m1 0h1m1' +
  ' 0h1m1 0h1m1 0h1m1 0h1m1 0h7M8 7.5h1m1 0h2m2 0h2m2 0h1M0 8.5h1m1 0h5m3 0h4m3 0h1m1 0h1m2' +
  ' 0h5M1 9.5h2m10 0h1m2 0h1m2 0h2m1 0h4m2 0h1M0 10.5h1m1 0h1m2 0h2m1 0h1m1 0h1m1 0h4m7 0h1' +
  'm2 0h1M0 11.5h3m2 0h1m1 0h2m3 0h1m2 0h1m2 0h4m2 0h2M4 12.5h4m7 0h1m1 0h1m3 0h1m1 0h1m2 0' +
  'h3M2 13.5h1m1 0h1m3 0h1m1 0h1m2 0h1m3 0h9m1 0h2M0 14.5h2m1 0h1m2 0h1m4 0h1m1 0h4m1 0h1m2' +
  ' 0h1m1 0h1m1 0h1M1 15.5h3m1 0h1m2 0h1m1 0h2m1 0h1m1 0h1m2 0h1m2 0h1m1 0h1m1 0h1m1 0h2M1 ' +
  '16.5h1m1 0h1m2 0h2m1 0h4m1 0h1m1 0h2m7 0h1m1 0h1M0 17.5h1m8 0h4m3 0h1m1 0h2m1 0h4m3 0h1M' +
  '0 18.5h1m1 0h1m2 0h5m5 0h2m3 0h3m1 0h2M0 19.5h1m2 0h1m6 0h2m2 0h2m3 0h1m2 0h2m1 0h1m1 0h' +
  '1M0 20.5h1m3 0h1m1 0h4m1 0h2m2 0h1m1 0h1m2 0h6M8 21.5h7m1 0h5m3 0h1m2 0h1M0 22.5h7m3 0h1' +
  'm2 0h4m1 0h3m1 0h1m1 0h1m1 0h1M0 23.5h1m5 0h1m1 0h1m1 0h1m1 0h2m2 0h1m2 0h2m3 0h1m3 0h1M' +
  '0 24.5h1m1 0h3m1 0h1m1 0h1m2 0h1m2 0h4m2 0h7M0 25.5h1m1 0h3m1 0h1m1 0h2m3 0h1m2 0h1m2 0h' +
  '1m6 0h3M0 26.5h1m1 0h3m1 0h1m1 0h3m4 0h1m1 0h2m1 0h5m1 0h2M0 27.5h1m5 0h1m3 0h1m2 0h3m2 ' +
  '0h3m3 0h1m2 0h1M0 28.5h7m1 0h3m1 0h2m1 0h1m1 0h3m4 0h1m1 0h1'

/** The hero's picture: a key on a ring with its tag. */
export function LandingArt() {
  return (
    <svg
      className="hero-art"
      viewBox="0 0 400 430"
      role="img"
      aria-label="A key on a ring with a DriveQR tag"
    >
      <g
        transform="translate(292 122) rotate(-24)"
        stroke="#1a1710"
        strokeWidth="7"
        strokeLinejoin="round"
      >
        <path d="M-13 38v170l13 14 15-15v-14l16-12-16-13v-10l16-13-16-13V38z" fill="#fff" />
        <circle r="46" fill="#fff" />
        <circle cy="-22" r="12" fill="#ffc61a" />
        <path d="M0 60v130" strokeWidth="5" />
      </g>
      <Tag />
      <circle cx="206" cy="80" r="62" fill="none" stroke="#1a1710" strokeWidth="10" />
      <circle cx="206" cy="80" r="62" fill="none" stroke="#fff" strokeWidth="2" />
    </svg>
  )
}

function Tag() {
  return (
    <g transform="rotate(-6 152 260)" textAnchor="middle">
      <path
        d="M48 400V196a104 104 0 0 1 208 0v204a14 14 0 0 1-14 14H62a14 14 0 0 1-14-14z"
        fill="#fff"
        stroke="#1a1710"
        strokeWidth="7"
      />
      <path d="M50 204v-8a102 102 0 0 1 204 0v8z" fill="#1a1710" />
      <circle cx="152" cy="124" r="14" fill="#ffc61a" />
      <text x="152" y="170" fontSize="22" fontWeight="800" fill="#ffc61a">
        Found me?
      </text>
      <text x="152" y="194" fontSize="17" fontWeight="700" fill="#fff">
        Scan to call my owner
      </text>
      <path
        transform="translate(77 222) scale(5.172)"
        d={CODE}
        stroke="#1a1710"
        shapeRendering="crispEdges"
      />
      <text x="152" y="399" fontSize="19" fontWeight="800" letterSpacing="1">
        DriveQR
      </text>
    </g>
  )
}
