import type { ScreenProps } from '../../routing/screen-props.ts'

export function RequestsScreen({ id }: ScreenProps) {
  return <h1>RequestsScreen {id}</h1>
}
