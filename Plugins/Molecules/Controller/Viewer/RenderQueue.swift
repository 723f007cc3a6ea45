/// Lets at most one rendering run and one wait: the newest request wins, the ones between are forgotten.
struct RenderQueue<Request> {
  private(set) var running: Request?
  private(set) var pending: Request?
  /// Counts the renderings that were started.
  private(set) var generation = 0

  var isIdle: Bool { running == nil }

  /// Takes a request.
  ///
  /// - Returns: The request if it is to be started now, under the new generation; nil if it waits.
  mutating func submit(_ request: Request) -> Request? {
    if running != nil {
      pending = request
      return nil
    }
    return start(request)
  }

  /// Notes that the rendering of a generation ended, however it did.
  ///
  /// - Returns: Whether it is the one that was running, so that its result counts, and the request to start now.
  mutating func end(generation ended: Int) -> (counts: Bool, next: Request?) {
    guard ended == generation, running != nil else { return (false, nil) }
    running = nil
    guard let waiting = pending else { return (true, nil) }
    pending = nil
    return (true, start(waiting))
  }

  /// Forgets what waits.
  mutating func dropPending() { pending = nil }

  private mutating func start(_ request: Request) -> Request {
    generation += 1
    running = request
    return request
  }
}
