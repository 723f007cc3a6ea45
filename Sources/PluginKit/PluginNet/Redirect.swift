/// Where a redirect leads, for clients that stay on their host.
enum Redirect {
  /// Whether an answer is a redirect that says where.
  static func isOne(_ head: HTTPHead) -> Bool {
    [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
  }

  /// The request that follows.
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
    // From http to https the port is another.
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
