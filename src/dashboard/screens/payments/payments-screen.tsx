import type { ScreenProps } from '../../routing/screen-props.ts'

export function PaymentsScreen({ id }: ScreenProps) {
  return <h1>PaymentsScreen {id}</h1>
}
