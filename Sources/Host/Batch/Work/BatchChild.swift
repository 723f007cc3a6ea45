internal import CHost
import Glibc
import PluginAPI

/// The child of a batch worker: `workbench __batch-child STATE FOLDER STORES [--option …]`.
///
/// It loads plugins and runs items, one after the other; whatever happens to it, the worker continues. Requests and
/// answers pass through descriptor 3. When the worker has ended, the child removes its state folder and ends.
@MainActor enum BatchChild {
  /// The argument that makes the program a child.
  nonisolated static let word = "__batch-child"
  /// The descriptor of the requests and answers.
  nonisolated static let channel: Int32 = 3
  /// The descriptor of the open state folder, whose lock ends with the child.
  nonisolated static let stateFolder: Int32 = 4

  /// The exit status of a child that cannot start; plugins end the process with others.
  nonisolated static let notStarted: Int32 = 2

  /// Runs the child and ends the process.
  ///
  /// - Parameter arguments: The state folder, which no other process uses; the folder for relative paths;
  ///   the folder with backups of stores, empty for the user's stores; options.
  static func start(_ arguments: [String]) -> Never {
    prepareProcess()
    guard arguments.count >= 3, chdir(arguments[1]) == 0 else { chost_end(notStarted) }
    let (state, words) = (arguments[0], Array(arguments[3...]))
    let backups = arguments[2].isEmpty ? nil : arguments[2]
    let environment = ProcessEnvironment.all()
    let streams = StandardStreams.memory(environment: environment)
    var options = GlobalOptions()
    // Commands that use the network need the user's sessions. Others run on many nodes, whose state is not shared.
    let replaced = HostFolders.Replacements(
      state: state, stores: backups.map { _ in state + "/stores" }, keepsPluginState: !words.contains("--offline"))
    guard let interpreter = try? Program.interpreter(for: &options, words: words, streams: streams, replaced: replaced)
    else { chost_end(notStarted) }
    // This process contains the faults of libraries itself: the worker counts its crashes and limits its memory.
    interpreter.session.plugins.isIsolating = false
    let requests = RequestQueue(ItemRunner(interpreter, backups: backups))
    WorkQueue("workbench.batch-child").async {
      let isRead = (try? readRequests { line in MainQueue.async { requests.add(line) } }) != nil
      try? HostFile.remove(state)
      chost_end(isRead ? 0 : 1)
    }
    MainQueue.run()
  }

  private static func prepareProcess() {
    signal(SIGPIPE, SIG_IGN)
    // Schedulers and terminals signal all processes; the worker decides when its child ends.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    chost_signals_keep()
    PluginExit.watch { report in chost_end(report.exitStatus) }
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
    for descriptor in [channel, stateFolder] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    // Where memory runs out, the system kills this process first, not the worker.
    if let file = try? HostFile.open("/proc/self/oom_score_adj", O_WRONLY) {
      _ = HostFile.writeAll(Array("1000".utf8), to: file)
      close(file)
    }
  }

  /// Calls a function with each line of the channel, until the worker closes it.
  private nonisolated static func readRequests(_ body: ([UInt8]) -> Void) throws {
    var pending: [UInt8] = []
    while let chunk = try HostFile.readChunk(channel, named: "requests") {
      pending += chunk
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        body(Array(pending[..<end]))
        pending.removeFirst(end + 1)
      }
    }
  }
}

/// The requests that a child has: it runs them in order, as the worker attributes a crash to the first.
@MainActor private final class RequestQueue {
  private let runner: ItemRunner
  private var waiting: [[UInt8]] = []
  private var isRunning = false

  init(_ runner: ItemRunner) { self.runner = runner }

  /// Adds the line of a request.
  func add(_ line: [UInt8]) {
    waiting.append(line)
    if isRunning { return }
    isRunning = true
    Task { @MainActor in
      while !waiting.isEmpty {
        guard let request = ItemRequest(line: waiting.removeFirst()) else { chost_end(1) }
        let answer = await runner.run(request)
        if HostFile.writeAll(answer, to: BatchChild.channel) != 0 { chost_end(1) }
      }
      isRunning = false
    }
  }
}

/// Runs items and makes their records.
@MainActor final class ItemRunner {
  private let interpreter: CommandInterpreter
  /// The folder with backups of stores, until they are restored; nil if there is none.
  private var backups: String?

  init(_ interpreter: CommandInterpreter, backups: String?) {
    (self.interpreter, self.backups) = (interpreter, backups)
  }

  /// Runs one try at an item.
  ///
  /// - Returns: The answer for the worker: a byte of ``ItemAnswer`` and a line for the log.
  func run(_ request: ItemRequest) async -> [UInt8] {
    let start = MonotonicClock.seconds
    let output = CollectedOutput()
    var head = request.item.head
    let result: Result<Value, ErrorReport>
    // Crashes of programs during earlier items must not quarantine their plugins for this one.
    try? HostFile.remove(interpreter.session.folders.state + "/crashes")
    do {
      if let input = request.item.input { head["input"] = try Self.checked(input) }
      // An item may complete the line to another command or option than the first item did.
      let setup = BatchSetup(interpreter: interpreter)
      let (entry, arguments, options) = try setup.command(of: request.words, allowsNetwork: true)
      try await restoreStores()
      interpreter.options = options
      try await interpreter.call(entry, arguments, options: options, output: output)
      result = .success(try replacingPictures(output.value(of: entry.declaration.output), request))
    } catch {
      result = .failure(ErrorReport(error))
    }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let run: Record = [
      "milliseconds": .integer(Int((MonotonicClock.seconds - start) * 1000)), "peakKiB": .integer(Int(usage.ru_maxrss)),
      "tries": .integer(request.tries),
    ]
    var mark = ItemAnswer.final
    if case .failure(let error) = result, error.isRetryable { mark = ItemAnswer.retryable }
    let document = ItemRecord.document(
      item: request.item.number, head: head, result: result, diagnostics: output.diagnostics, run: run)
    return [mark] + LogFrame.line(document)
  }

  /// Restores the backups of stores, before the first item.
  ///
  /// - Throws: ``ErrorReport``; it may be gone at the next try, as it depends on the machine.
  private func restoreStores() async throws {
    guard let folder = backups else { return }
    let files = StoreSnapshot.files(in: folder)
    do {
      // First: restoring a store may open others of its plugin.
      for (plugin, file) in files where file.hasSuffix(StoreSnapshot.addressSuffix) {
        let address = try HostFile.read(folder + "/\(plugin)/\(file)")
        let place = interpreter.session.folders.stores + "/\(plugin)/\(file)"
        try HostFile.write(address, to: place, isDurable: false, makesFolder: true)
      }
      for (plugin, store) in files where !store.hasSuffix(StoreSnapshot.addressSuffix) {
        let name = try StoreName(plugin + ":" + store, interpreter)
        try await name.open(interpreter).restore(from: folder + "/\(plugin)/\(store)")
      }
    } catch {
      var report = ErrorReport(error)
      report.isRetryable = true
      throw report
    }
    backups = nil
  }

  /// Returns the size and checksum of an input.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.input-changed` if it is not the file that was planned.
  private static func checked(_ input: BatchItem.Input) throws -> Value {
    guard let bytes = try? HostFile.read(input.path, limit: 1 << 40) else {
      throw BatchError.inputChanged("'\(input.path)' cannot be read", details: ["path": .text(input.path)])
    }
    let hash = try ContentHash.required(bytes)
    guard bytes.count == input.bytes, input.sha256 ?? hash == hash else {
      throw BatchError.inputChanged(
        "'\(input.path)' changed after the run was planned", advice: "plan a new run",
        details: ["path": .text(input.path)])
    }
    return ["bytes": .integer(bytes.count), "sha256": .text(hash)]
  }

  /// Writes a picture, or each frame of an animation, into the run's folder.
  ///
  /// - Returns: The files' names and checksums in place of pictures; other values as they are.
  private func replacingPictures(_ value: Value, _ request: ItemRequest) throws -> Value {
    if let picture = value.picture { return try write(picture, request.picture, request) }
    guard let frames = value.list, !frames.isEmpty else { return value }
    let pictures = frames.compactMap(\.picture)
    guard pictures.count == frames.count else { return value }
    return .list(
      try pictures.enumerated().map { index, picture in
        try write(picture, RunFolder.frame(index + 1, of: request.picture), request)
      })
  }

  private func write(_ picture: Picture, _ name: String, _ request: ItemRequest) throws -> Value {
    let bytes = try interpreter.pictures.encode(picture)
    try HostFile.write(bytes, to: request.folder + "/" + name, mode: HostFile.resultMode, makesFolder: true)
    return [
      "width": .integer(picture.width), "height": .integer(picture.height), "format": "png", "file": .text(name),
      "sha256": .text(try ContentHash.required(bytes)),
    ]
  }
}
