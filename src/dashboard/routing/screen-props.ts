/** The properties of every screen. */
export interface ScreenProps {
  /** The id in the URL; null for the overview. */
  readonly id: string | null
}
