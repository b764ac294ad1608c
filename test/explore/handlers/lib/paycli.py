"""API calls, signatures, transactions and routes for the apps in Python."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import sqlite3
import time
import urllib.error
import urllib.request
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TIMEOUT_SECONDS = 2
MAX_WAIT_SECONDS = 2
MAX_AGE_SECONDS = 300
RETURN_URL = "https://shop.example/thanks"


def send(method, path, body=None, key=None):
    """Sends a request once; returns the status, the response body and the seconds to wait before a retry."""
    headers = {"Authorization": f"Bearer {os.environ['PAYCLI_API_KEY']}", "Content-Type": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    url = os.environ["PAYCLI_API_BASE"] + path
    deadline = time.monotonic() + TIMEOUT_SECONDS
    try:
        request = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return response.status, json.loads(read_until(response, deadline)), 0
    except urllib.error.HTTPError as error:
        return error.code, None, int(error.headers.get("Retry-After") or 0)
    except (OSError, http.client.HTTPException, ValueError):
        return None, None, 0


def read_until(response, deadline):
    """Reads a response; fails if it is slower than the deadline."""
    chunks = []
    while chunk := response.read1(65536):
        chunks.append(chunk)
        if time.monotonic() > deadline:
            raise TimeoutError
    return b"".join(chunks)


def call_api(method, path, body=None, key=None, attempts=5):
    """Calls the API and repeats a request whose response is lost, 429 or 5xx. `key` may be a function that returns the key."""
    for attempt in range(1, attempts + 1):
        status, result, retry_after = send(method, path, body, key() if callable(key) else key)
        if result is not None:
            return result
        if (status is not None and status < 500 and status != 429) or attempt == attempts:
            raise RuntimeError(f"{method} {path} failed: status {status}")
        time.sleep(min(retry_after or 0.05 * 2**attempt, MAX_WAIT_SECONDS))


def customer_of(user, test_clock=None):
    """Returns the customer of a user. The idempotency key makes it the same customer on every call."""
    clock = {} if test_clock is None else {"test_clock": test_clock}
    return call_api("POST", "/v1/customers", {"email": f"{user}@example.com", **clock}, f"customer-{user}")


def create_payment_session(user, order, amount):
    """Creates the page on which the user pays an order."""
    body = {
        "customer": customer_of(user)["id"],
        "amount": amount,
        "currency": "eur",
        "payment_method_types": ["card"],
        "return_url": RETURN_URL,
        "metadata": {"order": order},
    }
    return call_api("POST", "/v1/payment_sessions", body, f"payment-session-{order}")


def create_checkout_session(customer, user):
    """Creates the page on which the user subscribes to a monthly plan."""
    item = {"description": "Credits", "type": "credits", "price_data": {"amount": 900, "currency": "eur"}}
    body = {
        "customer": customer["id"],
        "currency": "eur",
        "payment_method_types": ["card"],
        "return_url": RETURN_URL,
        "subscription_data": {"interval": "month", "interval_count": 1, "items": [item]},
    }
    return call_api("POST", "/v1/checkout_sessions", body, f"checkout-session-{user}")


def read_event(headers, body):
    """Returns the event of a webhook request, or None if its signature is invalid or old."""
    secret = base64.b64decode(os.environ["PAYCLI_WEBHOOK_SECRET"].removeprefix("whsec_"))
    timestamp = headers.get("webhook-timestamp", "0")
    text = f"{headers.get('webhook-id')}.{timestamp}.{body.decode()}"
    expected = "v1," + base64.b64encode(hmac.digest(secret, text.encode(), hashlib.sha256)).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    is_recent = timestamp.isdigit() and abs(time.time() - int(timestamp)) <= MAX_AGE_SECONDS
    is_signed = any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in signatures)
    return json.loads(body) if is_recent and is_signed else None


def run(*statements):
    """Runs SQL statements with their parameters in one transaction and returns the rows of the last one."""
    path = os.environ.get("DATABASE", "orders.sqlite")
    with closing(sqlite3.connect(path, isolation_level=None, timeout=5)) as database:
        database.execute("begin immediate")
        for sql, *params in statements:
            rows = database.execute(sql, params).fetchall()
        database.execute("commit")
        return rows


def serve(routes):
    """Serves routes such as `"POST /buy": function(headers, body)`, which return a status and a body; an error is a 500."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            try:
                status, result = routes[f"{self.command} {self.path}"](self.headers, body)
            except Exception as error:
                status, result = 500, {"error": str(error)}
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(result).encode())

        do_GET = do_POST

        def log_message(self, *_):
            """Prints no access log."""

    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
