import type { ScreenProps } from '../../routing/screen-props.ts'

export function DeliveriesScreen({ id }: ScreenProps) {
  return <h1>DeliveriesScreen {id}</h1>
}
