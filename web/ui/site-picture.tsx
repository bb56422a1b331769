/** A drawing of a charging site, used without a photo. Few shapes, because long lists have many. */
export const SitePicture = () => (
  <svg
    className="site-picture"
    viewBox="0 0 320 180"
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
    focusable="false"
  >
    <path d="M0 120 C60 84 110 96 160 108 S270 92 320 112 V180 H0Z" className="hill" />
    <path d="M0 146 H320 V180 H0Z" className="ground" />
    {/* The cable is drawn there and back, so that it encloses no area to fill. */}
    <path
      d="M204 68.5 h24 a5.5 5.5 0 0 1 5.5 5.5 v68 a5.5 5.5 0 0 1 -5.5 5.5 h-24 a5.5 5.5 0 0 1 -5.5 -5.5 v-68 a5.5 5.5 0 0 1 5.5 -5.5Z M236 96 h10 a8 8 0 0 1 8 8 v22 a8 8 0 0 0 16 0 V92 V126 a8 8 0 0 1 -16 0 v-22 a8 8 0 0 0 -8 -8 h-10"
      className="post"
    />
    <path d="M219 76 206 97 h9 l-4 17 15-22 h-9 l4-16Z" className="bolt" />
    <path
      d="M44 140 v-16 a10 10 0 0 1 8-10 l16-4 18-20 a12 12 0 0 1 9-4 h34 a14 14 0 0 1 11 5 l14 18 10 3 a10 10 0 0 1 8 10 v18Z"
      className="car"
    />
    <path
      d="m78 108 14-15 a6 6 0 0 1 4-2 h12 v17Z M114 91 h14 a8 8 0 0 1 6 3 l11 14 h-31Z"
      className="window"
    />
    <path
      d="M61 142 a13 13 0 1 0 26 0 a13 13 0 1 0 -26 0Z M133 142 a13 13 0 1 0 26 0 a13 13 0 1 0 -26 0Z"
      className="wheel"
    />
  </svg>
)
