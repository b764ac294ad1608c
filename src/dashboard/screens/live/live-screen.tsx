import type { ScreenProps } from '../../routing/screen-props.ts'

export function LiveScreen({ id }: ScreenProps) {
  return <h1>LiveScreen {id}</h1>
}
