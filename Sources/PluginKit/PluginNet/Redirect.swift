/// Redirects for clients that stay on their host.
enum Redirect {
  /// Returns true if a response is a redirect with a location.
  static func isOne(_ head: HTTPHead) -> Bool {
    [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
  }

  /// Returns the request that follows a redirect.
  ///
  /// - Throws: ``HTTPError`` if it would leave the host, or go from https to http.
  static func request(_ request: HTTPRequest, _ head: HTTPHead) throws(HTTPError) -> HTTPRequest {
    let location = head.headers["Location"] ?? ""
    guard let target = HTTPAddress.resolved(location, against: request.address) else {
      throw .protocolRefused(address: HTTPAddress.shown(request.address))
    }
    let (isSafe, staysSafe) = (isSafe(request.address), isSafe(target))
    if isSafe, !staysSafe { throw .protocolRefused(address: HTTPAddress.shown(request.address)) }
    let host = HTTPAddress.host(of: request.address)
    let isSame = HTTPAddress.hostAndPort(of: target) == HTTPAddress.hostAndPort(of: request.address)
    // A redirect from http to https changes the port.
    guard isSame || !isSafe && staysSafe && HTTPAddress.host(of: target) == host else {
      throw .redirectedElsewhere(host: host, target: HTTPAddress.hostAndPort(of: target))
    }
    var next = request
    next.address = target
    if head.status == 303 {
      (next.method, next.body) = (nil, nil)
      next.headers["Content-Type"] = nil
    }
    return next
  }

  private static func isSafe(_ address: String) -> Bool { HTTPAddress.parts(address)?.scheme == "https" }
}
