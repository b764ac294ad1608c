import type { ScreenProps } from '../../routing/screen-props.ts'

export function ClockScreen({ id }: ScreenProps) {
  return <h1>ClockScreen {id}</h1>
}
