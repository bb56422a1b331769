/** A drawn charging place, where there is no photo. */
export const SitePicture = () => (
  <svg
    className="site-picture"
    viewBox="0 0 320 180"
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
    focusable="false"
  >
    <rect width="320" height="180" className="sky" />
    <path d="M0 120 C60 84 110 96 160 108 S270 92 320 112 V180 H0Z" className="hill" />
    <path d="M0 146 H320 V180 H0Z" className="ground" />
    <g className="post">
      <rect x="196" y="66" width="40" height="84" rx="8" />
      <path d="M236 96 h10 a8 8 0 0 1 8 8 v22 a8 8 0 0 0 16 0 V92" className="cable" />
    </g>
    <path d="M219 76 206 97 h9 l-4 17 15-22 h-9 l4-16Z" className="bolt" />
    <g className="car">
      <path d="M44 140 v-16 a10 10 0 0 1 8-10 l16-4 18-20 a12 12 0 0 1 9-4 h34 a14 14 0 0 1 11 5 l14 18 10 3 a10 10 0 0 1 8 10 v18Z" />
      <path
        d="m78 108 14-15 a6 6 0 0 1 4-2 h12 v17Z M114 91 h14 a8 8 0 0 1 6 3 l11 14 h-31Z"
        className="window"
      />
      <circle cx="74" cy="142" r="13" className="wheel" />
      <circle cx="146" cy="142" r="13" className="wheel" />
    </g>
  </svg>
)
