import PluginAPI
import PluginText

/// The screen with all details of an entity.
///
/// Cached details are shown at once; the server is asked if there are none yet, or when the user wants it. Images are
/// fetched a few at a time, visible ones first.
@MainActor final class DetailController: Controller {
  static let reading: EffectID = "read"
  static let changing: EffectID = "changed"
  static let asking: EffectID = "detail"
  static let fetching = "image"
  static let fitting = "fit"
  static let wholeText: EffectID = "whole"
  /// The largest number of images that are fetched at the same time.
  static let mostFetches = 3

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("choose", "Open what is selected"),
    ScreenAction("refresh", "Ask the server anew", keys: ["r"]),
    ScreenAction("tree", "Show as a tree", keys: ["t"]),
    FilesController.action,
    ScreenAction("image", "Show the image over the whole screen", keys: ["v"]),
    ExportDialogue.action,
    ScreenAction("copy", "Copy the identifier", keys: ["y"]),
    ScreenAction("online", "Go online", keys: ["o"]),
  ]

  private let lab: ScreenLab
  private let id: String
  private let account: String
  private let context: any PluginContext
  private var opened: OpenLab?
  private var state = DetailState()
  private var message = "reading …"
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  private var hasAsked = false
  /// A Boolean value indicating whether the server was unreachable when the details were last read.
  private var wasOffline = false
  private var export = ExportDialogue()
  private var isChangeAwaited = false
  private var isReading = false
  private var needsReading = false
  /// Indices of the images that wait to be fetched.
  private var waiting: [Int] = []
  private var running: Set<Int> = []
  /// The generation of effects, by which stale responses for an earlier entity are recognized.
  private var round = 0

  init(_ request: ScreenRequest, _ context: any PluginContext, _ lab: ScreenLab) {
    self.lab = lab
    id = request.arguments["perm-id"]?.text ?? ""
    account = request.arguments["account"]?.text ?? ""
    self.context = context
  }

  var title: String { state.details.map { EntityTitle.heading($0.entity) } ?? "Details" }
  var view: any View { EntityDetailView(state: state, message: message) }
  var status: [StyledText.Run] { isOffline ? [ServerState.offlineRun] : [] }

  /// A Boolean value indicating whether the server is asked only on the user's request, because it was last
  /// unreachable.
  private var isOffline: Bool { context.isOffline || opened?.isReachable() == false }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      return read()
    }
    switch state.handle(event, in: Rect(size)) {
    case .changed: return fetch()
    case .chosen(let place), .disclosed(let place): return choose(place)
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "choose": return (invocation.arguments["id"]?.text ?? state.place?.id).map(choose) ?? []
    case "refresh", "online": return askAnew()
    case "tree": return [.push(ScreenRequest("tree", arguments: arguments))]
    case "files": return FilesController.open(arguments, isNavigation: isNavigation)
    case "export": return export.ask(id, account: account)
    case "image": return showImage(0)
    case "copy":
      let entity = state.details?.entity
      return [.copy(entity?.identifier ?? id)]
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.reading, let read as ReadDetails): return take(read)
    case .failed(Self.reading, let report):
      isReading = false
      self.message = report.description
    case .finished(Self.asking, _): return read()
    case .failed(Self.asking, let report): return [.status(Diagnostic(report, .warning))]
    case .finished(Self.wholeText, let text as WholeText): return [text.screen]
    case .notification:
      if isChangeAwaited { return [] }
      isChangeAwaited = true
      return [.timer(Self.changing, seconds: BrowserController.changeInSeconds, repeats: false)]
    case .timer(Self.changing):
      isChangeAwaited = false
      return read()
    case .returned(_, let value):
      // Another entity or another account is opened by the list below, whatever screen was above.
      return value["open"].text != nil || value["changed"].bool == true ? [.pop(value)] : []
    default: return export.receive(message) + receiveImage(message)
    }
    return []
  }

  private var arguments: Record {
    ["perm-id": .text(id), "account": .text(account)]
  }

  private var isNavigation: Bool { state.details?.entity.flags.contains(.navigation) ?? false }

  // MARK: Reading

  private func read() -> [Effect] {
    needsReading = isReading
    if isReading { return [] }
    isReading = true
    let (lab, known, account, id) = (lab, opened, account, id)
    return [
      .compute(Self.reading, label: "reading details") { _ in
        let opened = try known ?? lab.open(account)
        guard let entity = try opened.reading.entityAndWait(id) else { return ReadDetails(lab: opened, details: nil) }
        let parents = try opened.reading.parentsAndWait(of: id)
        return ReadDetails(lab: opened, details: EntityDetails(entity, parents: parents))
      }
    ]
  }

  private func take(_ read: ReadDetails) -> [Effect] {
    isReading = false
    opened = read.lab
    let again = needsReading ? self.read() : []
    guard let details = read.details else {
      let wasThere = state.details != nil
      state.details = nil
      message = "'\(SanitizedText.line(id))' is not kept any more: it was deleted on the server"
      return again + (wasThere ? [.pop(.null)] : [])
    }
    show(details)
    if wasOffline, !isOffline {
      hasAsked = false
      wantImagesAgain()
    }
    wasOffline = isOffline
    let isAsked = hasAsked || !details.entity.flags.isDisjoint(with: [.detailed, .navigation]) ? [] : ask()
    return again + isAsked + fetch()
  }

  /// Shows details; unchanged images keep their pictures.
  private func show(_ details: EntityDetails) {
    var details = details
    if let before = state.details, before.entity.images == details.entity.images {
      details.images = before.images
    } else {
      round += 1
      running = []
      waiting = details.images.indices.filter { details.images[$0].isFetched }
    }
    state.details = details
  }

  /// Requests the details, unless the server was unreachable.
  private func ask() -> [Effect] { isOffline ? [] : startAsking() }

  /// Requests the details on the user's demand, even from a server that was unreachable, and missing images too.
  private func askAnew() -> [Effect] {
    if context.isOffline { return [.status(ServerState.startedOffline)] }
    wantImagesAgain()
    return startAsking() + fetch()
  }

  private func startAsking() -> [Effect] {
    hasAsked = true
    if id.isEmpty { return [] }
    return [
      .cancel(Self.asking),
      .run(Self.asking, command: "detail", arguments: ["perm-id": .text(id), "account": .text(account)]),
    ]
  }

  // MARK: Images

  /// Fetches images that are visible or nearly so, a few at a time.
  private func fetch() -> [Effect] {
    guard let details = state.details, !waiting.isEmpty, running.count < Self.mostFetches else { return [] }
    let layout = DetailLayout(details, in: size)
    let sight = state.top - size.height..<state.top + 2 * max(1, size.height)
    let near = waiting.filter { layout.lines[.image($0)].map { $0.overlaps(sight) } ?? false }
    return near.prefix(Self.mostFetches - running.count).map { index in
      waiting.removeAll { $0 == index }
      running.insert(index)
      state.details?.images[index].note = "fetching …"
      return .run(effectID(Self.fetching, index), command: "image", arguments: ImageArguments.of(id, account, index))
    }
  }

  /// Queues images again that could not be fetched.
  private func wantImagesAgain() {
    guard let images = state.details?.images else { return }
    for (index, image) in images.enumerated() where image.isFetched && image.picture == nil && !running.contains(index)
    {
      state.details?.images[index].note = EntityDetails.waitingNote
      if !waiting.contains(index) { waiting.append(index) }
    }
  }

  /// Returns the id of an effect for an image of the current entity.
  private func effectID(_ name: String, _ index: Int) -> EffectID {
    EffectID(name, generation: round * EntityDetails.mostImages + index)
  }

  private func index(of id: EffectID) -> Int? {
    id.generation / EntityDetails.mostImages == round ? id.generation % EntityDetails.mostImages : nil
  }

  private func receiveImage(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(let id, let value) where id.name == Self.fetching:
      guard let index = index(of: id), let picture = value.picture, let details = state.details else { return [] }
      let isTile = details.images[index].role == .tiled
      return [
        .compute(effectID(Self.fitting, index), label: "making the image smaller") { _ in
          picture.shown(asTile: isTile)
        }
      ]
    case .finished(let id, let picture as Picture) where id.name == Self.fitting:
      if let index = index(of: id) { state.details?.images[index].picture = picture }
    case .finished(let id, _) where id.name == Self.fetching, .cancelled(let id) where id.name == Self.fetching:
      if let index = index(of: id) { running.remove(index) }
      return fetch()
    case .failed(let id, let report) where id.name == Self.fetching:
      guard let index = index(of: id) else { return [] }
      running.remove(index)
      state.details?.images[index].note = "no image: " + SanitizedText.line(report.message)
      return fetch()
    default: break
    }
    return []
  }

  // MARK: Selection

  private func choose(_ placeID: String) -> [Effect] {
    guard let details = state.details, let place = details.places.first(where: { $0.id == placeID }) else { return [] }
    state.select(place)
    switch place {
    case .property(let index): return showWhole(index)
    case .image(let index): return showImage(index)
    case .children: return [.pop(["open": .text(id)])]
    case .parent(let index): return [.pop(["open": .text(details.parents[index].permID)])]
    }
  }

  /// Shows a complete value on a page of its own; its text is prepared off the loop, because it may be megabytes long.
  private func showWhole(_ index: Int) -> [Effect] {
    guard let properties = state.details?.entity.properties, properties.indices.contains(index) else { return [] }
    let property = properties[index]
    // A property that refers to a sample holds the id of its entity.
    if property.value.utf8.count < 100, !property.value.contains(where: \.isWhitespace),
      Refcon.object(of: property.value) != nil
    {
      return [.pop(["open": .text(property.value)])]
    }
    let title = SanitizedText.line(property.label.isEmpty ? property.key : property.label)
    return [
      .compute(Self.wholeText, label: "making the text") { _ in
        WholeText(title: title, text: ShownValue(property.value, limit: nil).text)
      }
    ]
  }

  private func showImage(_ index: Int) -> [Effect] {
    guard let images = state.details?.images, images.indices.contains(index) else { return [] }
    var arguments = arguments
    arguments["number"] = .integer(index + 1)
    arguments["count"] = .integer(images.count)
    return [.push(ScreenRequest("image", arguments: arguments))]
  }
}

/// The result of reading an entity's details; nil details if the entity is no longer cached.
private struct ReadDetails: Sendable {
  var lab: OpenLab
  var details: EntityDetails?
}

/// The complete text of a property.
private struct WholeText: Sendable {
  var title: String
  var text: String

  var screen: Effect { .push(ScreenRequest("text", arguments: ["title": .text(title), "text": .text(text)])) }
}

/// The arguments of the command that returns an image.
enum ImageArguments {
  /// Returns the arguments for an image by its index from 0; commands count from 1 and need not request the details
  /// again.
  static func of(_ permID: String, _ account: String, _ index: Int) -> Record {
    ["perm-id": .text(permID), "number": .integer(index + 1), "known-details": true, "account": .text(account)]
  }
}
