# Corrected: the idempotency key names the refund that the merchant requested.
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "lib"))
from paycli import call_api, create_payment_session, read_event, run, serve

run(
    ["create table if not exists orders (id text primary key, session text)"],
    ["create table if not exists refunds (id text primary key, amount integer)"],
)


def buy(_headers, body):
    order = json.loads(body)
    session = create_payment_session(order["user"], order["order"], 1000)
    run(["insert or ignore into orders values (?, ?)", order["order"], session["id"]])
    return 200, {"session": session["id"]}


def refund(_headers, body):
    request = json.loads(body)
    [[session_id]] = run(["select session from orders where id = ?", request["order"]])
    session = call_api("GET", f"/v1/payment_sessions/{session_id}")
    refund_params = {"payment": session["payment"], "amount": request["amount"]}
    call_api("POST", "/v1/refunds", refund_params, key=f"refund-{request['refund']}")
    return 200, {}


def receive(headers, body):
    event = read_event(headers, body)
    if event is None:
        return 400, {}
    if event["type"] == "refund.created":
        created = event["data"]["object"]
        run(["insert or ignore into refunds values (?, ?)", created["id"], created["amount"]])
    return 200, {}


def orders(_headers, _body):
    return 200, {"refunds": [amount for [amount] in run(["select amount from refunds"])]}


serve({"POST /buy": buy, "POST /refund": refund, "POST /webhooks": receive, "GET /debug/orders": orders})
