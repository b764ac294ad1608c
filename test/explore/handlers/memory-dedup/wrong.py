# Wrong: keeps the processed events in memory, so an event that is delivered again after a restart counts twice.
# SandeepVashishtha/Eventra#16517: event ids were deduplicated in a set of the process, which a restart clears.
import json
import sys
import threading
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "lib"))
from paycli import create_checkout_session, customer_of, read_event, run, serve

run(["create table if not exists accounts (customer text primary key, user text, credits integer)"])
seen = set()
lock = threading.Lock()


def buy(_headers, body):
    order = json.loads(body)
    customer = customer_of(order["user"], order["test_clock"])
    run(["insert or ignore into accounts values (?, ?, 0)", customer["id"], order["user"]])
    return 200, {"session": create_checkout_session(customer, order["user"])["id"]}


def receive(headers, body):
    event = read_event(headers, body)
    if event is None:
        return 400, {}
    with lock:
        if event["type"] == "invoice.paid" and event["id"] not in seen:
            customer = event["data"]["object"]["customer"]
            run(["update accounts set credits = credits + 100 where customer = ?", customer])
            seen.add(event["id"])
    return 200, {}


def orders(_headers, _body):
    rows = run(["select user, credits from accounts"])
    return 200, {"accounts": [{"user": user, "credits": credits} for [user, credits] in rows]}


serve({"POST /buy": buy, "POST /webhooks": receive, "GET /debug/orders": orders})
