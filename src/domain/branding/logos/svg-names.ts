const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** The allowed elements of a logo. Other elements are dropped with their contents, such as the metadata of editors. */
export const ALLOWED_ELEMENTS = words(`
  svg g defs symbol use path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask`)

/** The elements, in lower case, for which a logo is rejected: they run code, animate or load resources. */
export const FORBIDDEN_ELEMENTS = words(`
  script foreignobject image feimage a animate animatecolor animatemotion animatetransform set discard audio video
  source track iframe frame object embed applet canvas handler listener link base meta html body`)

/**
 * The attributes that CSS can set as well. Dash arrays are not allowed, because their number of dashes depends on the
 * length of the path.
 */
export const PRESENTATION_ATTRIBUTES = words(`
  fill fill-opacity fill-rule stroke stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width opacity color stop-color stop-opacity clip-path clip-rule mask mask-type display visibility
  overflow font-family font-size font-style font-weight font-variant font-stretch text-anchor text-decoration
  letter-spacing word-spacing dominant-baseline paint-order shape-rendering text-rendering color-interpolation
  vector-effect`)

/** The allowed attributes of a logo that CSS cannot set. */
export const NON_PRESENTATION_ATTRIBUTES = words(`
  d points x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy rotate width height viewBox preserveAspectRatio transform
  offset gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits textLength
  lengthAdjust`)

/** The functions that the value of an attribute may call. */
export const ALLOWED_FUNCTIONS = words('matrix translate scale rotate skewX skewY rgb rgba hsl hsla')
