"""Who may ask what, how often, and what is written down of it. It knows no HTTP server.

    callers   who asks, with scopes and graphs
    tokens    the texts of keys: made, read and compared
    keys      creates, lists, revokes and checks keys
    oidc      checks the bearer tokens of an OpenID Connect issuer
    routes    which scope each route wants
    rates     how often a caller may ask
    spending  how many seconds of the database a caller may use
    audit     what is noted of a request for its audit row
    guard     all of these together

Put together by `wiring`; used by the service and by `trellis keys`.
"""
