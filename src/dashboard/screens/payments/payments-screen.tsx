import type { ScreenProps } from '../../shell/screen-props.ts'

export function PaymentsScreen({ id }: ScreenProps) {
  return <h1>PaymentsScreen {id}</h1>
}
