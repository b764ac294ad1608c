import type { ScreenProps } from '../../shell/screen-props.ts'

export function ScenesScreen({ id }: ScreenProps) {
  return <h1>ScenesScreen {id}</h1>
}
