import type { ScreenProps } from '../../routing/screen-props.ts'

export function ObjectScreen({ id }: ScreenProps) {
  return <h1>ObjectScreen {id}</h1>
}
