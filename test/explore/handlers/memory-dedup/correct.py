# Corrected: stores the processed events in the transaction that adds the credits.
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "lib"))
from paycli import create_checkout_session, customer_of, read_event, run, serve

run(
    ["create table if not exists accounts (customer text primary key, user text, credits integer)"],
    ["create table if not exists events (id text primary key, customer text)"],
)


def buy(_headers, body):
    order = json.loads(body)
    customer = customer_of(order["user"], order["test_clock"])
    run(["insert or ignore into accounts values (?, ?, 0)", customer["id"], order["user"]])
    return 200, {"session": create_checkout_session(customer, order["user"])["id"]}


def receive(headers, body):
    event = read_event(headers, body)
    if event is None:
        return 400, {}
    if event["type"] == "invoice.paid":
        customer = event["data"]["object"]["customer"]
        run(
            ["insert or ignore into events values (?, ?)", event["id"], customer],
            ["update accounts set credits = credits + 100 where customer = ? and changes() = 1", customer],
        )
    return 200, {}


def orders(_headers, _body):
    rows = run(["select user, credits from accounts"])
    return 200, {"accounts": [{"user": user, "credits": credits} for [user, credits] in rows]}


serve({"POST /buy": buy, "POST /webhooks": receive, "GET /debug/orders": orders})
