internal import CServing
internal import Synchronization

/// The state that a server's thread works with; it lives until the thread has ended.
final class ServerCore: Sendable {
  private struct State {
    /// The engine's address; 0 before it starts and after it stops.
    var engine: UInt = 0
    var isStopping = false
    var exchanges: [ObjectIdentifier: Exchange] = [:]
  }

  private let limitInBytes: Int
  private let handler: HTTPServer.Handler
  private let state = Mutex(State())

  init(limitInBytes: Int, _ handler: @escaping HTTPServer.Handler) {
    self.limitInBytes = limitInBytes
    self.handler = handler
  }

  /// A Boolean value indicating whether any requests are in progress.
  var isBusy: Bool { state.withLock { !$0.exchanges.isEmpty } }

  /// Starts the thread; returns false if it cannot be started.
  func start(_ configuration: HTTPServer.Configuration, _ listener: Int32) -> Bool {
    var setup = serving_setup()
    setup.listener = listener
    setup.connections = UInt32(clamping: configuration.connections)
    setup.head_bytes = max(1024, configuration.headInBytes)
    setup.idle_seconds = UInt32(clamping: configuration.idleInSeconds)
    let context = Unmanaged.passRetained(self)
    let engine: OpaquePointer? =
      if let certificate = configuration.certificate {
        // Read while it starts.
        text(certificate).withUnsafeBufferPointer { certificate in
          text(configuration.key ?? []).withUnsafeBufferPointer { key in
            text(configuration.clientAuthorities ?? []).withUnsafeBufferPointer { authorities in
              setup.certificate = certificate.baseAddress
              setup.key = key.baseAddress
              if configuration.clientAuthorities != nil { setup.client_authorities = authorities.baseAddress }
              return serving_start(setup, receiver(context.toOpaque()))
            }
          }
        }
      } else {
        serving_start(setup, receiver(context.toOpaque()))
      }
    if engine == nil { context.release() }
    state.withLock { $0.engine = UInt(bitPattern: engine) }
    return engine != nil
  }

  private func text(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// Stops accepting connections and requests.
  func quiesce() {
    state.withLock { state in
      state.isStopping = true
      if let engine = OpaquePointer(bitPattern: state.engine) { serving_quiesce(engine) }
    }
  }

  /// Cuts off running requests, ends the thread, and then calls back; at once if it was stopped before.
  func cutAndStop(_ done: @escaping @Sendable () -> Void) {
    let (engine, exchanges) = state.withLock { state in
      state.isStopping = true
      defer { state.engine = 0 }
      return (state.engine, Array(state.exchanges.values))
    }
    guard let engine = OpaquePointer(bitPattern: engine) else { return done() }
    serving_quiesce(engine)
    for exchange in exchanges { exchange.cut() }
    let box = Unmanaged.passRetained(Ending(core: self, done: done)).toOpaque()
    let isEnding = serving_stop(
      engine,
      { box in
        if let box { Unmanaged<Ending>.fromOpaque(box).takeRetainedValue().end() }
      }, box)
    precondition(isEnding != 0, "the system cannot start another thread")
  }

  /// The action performed when the thread has ended.
  private final class Ending: Sendable {
    let core: ServerCore
    let done: @Sendable () -> Void

    init(core: ServerCore, done: @escaping @Sendable () -> Void) {
      (self.core, self.done) = (core, done)
    }

    func end() {
      // The reference that the thread held.
      Unmanaged.passUnretained(core).release()
      done()
    }
  }

  // MARK: The server's thread

  private func begin(_ connection: OpaquePointer, method: String, path: String) -> Exchange? {
    let exchange = Exchange(connection: connection, limitInBytes: limitInBytes)
    let isTaken = state.withLock { state in
      if !state.isStopping { state.exchanges[ObjectIdentifier(exchange)] = exchange }
      return !state.isStopping
    }
    guard isTaken else { return nil }
    let query = fields(connection, isQuery: true).map {
      ServerRequest.Field(
        PercentText.undone($0.name, plusIsBlank: true), PercentText.undone($0.value, plusIsBlank: true))
    }
    let request = ServerRequest(
      method: method, path: PercentText.undone(path), query: query, headers: fields(connection, isQuery: false),
      body: RequestBody(exchange: exchange))
    exchange.start(request, handler)
    return exchange
  }

  private func end(_ exchange: Exchange) {
    exchange.end()
    state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  private func fields(_ connection: OpaquePointer, isQuery: Bool) -> [ServerRequest.Field] {
    final class Box { var fields: [ServerRequest.Field] = [] }
    let box = Box()
    withExtendedLifetime(box) {
      serving_fields(
        connection, isQuery ? 1 : 0,
        { context, name, value in
          guard let context, let name else { return }
          let field = ServerRequest.Field(String(cString: name), value.map { String(cString: $0) } ?? "")
          Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().fields.append(field)
        }, Unmanaged.passUnretained(box).toOpaque())
    }
    return box.fields
  }

  private func receiver(_ context: UnsafeMutableRawPointer) -> serving_receiver {
    var receiver = serving_receiver()
    receiver.context = context
    receiver.begin = { context, connection, method, path in
      guard let context, let connection, let method, let path else { return nil }
      let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
      let exchange = core.begin(connection, method: String(cString: method), path: String(cString: path))
      return exchange.map { Unmanaged.passUnretained($0).toOpaque() }
    }
    receiver.body = { request, bytes, count in
      guard let request, let count else { return SERVING_DROP }
      let exchange = Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
      return exchange.take(bytes, &count.pointee) { request, room, count in
        guard let request, let room else { return -2 }
        return Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue().fill(
          UnsafeMutableRawBufferPointer(start: room, count: count))
      }
    }
    receiver.end = { context, request in
      guard let context, let request else { return }
      let exchange = Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
      Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().end(exchange)
    }
    return receiver
  }
}
