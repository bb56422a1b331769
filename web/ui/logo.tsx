/** The logo: a leaf with a bolt cut out of it, in the current text colour. */
const Logo = ({ size = 28 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="7 7 26 27" aria-hidden="true" focusable="false">
    <path
      fill="currentColor"
      fillRule="evenodd"
      d="M31.2 8.3c.5 9.6-1.4 16.3-5.6 19.7-3.6 2.9-8.3 2.9-11.6.9l-3.3 3.5a1.45 1.45 0 0 1-2.1-2l3.3-3.6c-2.3-3.5-2.3-8.2.9-11.8 3.6-4.1 9.6-6.1 18.4-6.7Zm-8.3 5.300-6 7.400h4.200l-2.700 6.200 7.400-8.3h-4.500l1.600-5.300Z"
    />
  </svg>
)

/** The logo in its 40x40 tile. */
export const LogoTile = () => (
  <span className="leaf-tile">
    <Logo />
  </span>
)
