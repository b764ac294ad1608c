import type { ScreenProps } from '../../routing/screen-props.ts'

export function ScenesScreen({ id }: ScreenProps) {
  return <h1>ScenesScreen {id}</h1>
}
