/** No attempt came of a send: the delivery is as it was, or `isOver` when whoever should make it has settled it so. */
export class Unanswered extends Error {
  readonly isOver: boolean

  constructor(message: string, isOver = false) {
    super(message)
    this.name = 'Unanswered'
    this.isOver = isOver
  }
}
