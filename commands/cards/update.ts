import CardSessionsCreate from '../card-sessions/create.ts'

export default class CardsUpdate extends CardSessionsCreate {
  static override summary = "Create a page to update a customer's card"
  static override examples = [
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --open --wait',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --subscription sub_4bT9… --field url',
  ]
}
