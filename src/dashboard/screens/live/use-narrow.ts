import { useEffect, useState } from 'preact/hooks'

const NARROW = '(width < 48rem)'

/** Returns whether the window is narrow, as on a phone, and renders again when that changes. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(NARROW).matches)
  useEffect(() => {
    const media = window.matchMedia(NARROW)
    const update = () => setNarrow(media.matches)
    update()
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [])
  return isNarrow
}
