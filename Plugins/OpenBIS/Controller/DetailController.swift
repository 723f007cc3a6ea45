import PluginAPI
import PluginText

/// The screen with all details of an entity.
///
/// Cached details are shown at once; the server is asked if there are none yet, or when the user wants it. Images are
/// fetched a few at a time, visible ones first.
@MainActor final class DetailController: Controller {
  nonisolated static let description = ScreenDescription(
    "detail", title: "Details", summary: "All details of an entity",
    actions: [
      ScreenAction(DetailAction.choose, "Open the selected item"),
      ScreenAction(DetailAction.refresh, "Refresh from the server", keys: ["r"]),
      ScreenAction(DetailAction.tree, "Show as a tree", keys: ["t"]),
      FilesController.action(DetailAction.files),
      ScreenAction(DetailAction.image, "Show the image full-screen", keys: ["v"]),
      ExportDialog.action(DetailAction.export),
      ScreenAction(DetailAction.copy, "Copy the identifier", keys: ["y"]),
      ScreenAction(DetailAction.online, "Go online", keys: ["o"]),
    ], topics: [OpenBISScreens.cacheTopic])

  private static let reading: EffectID = "read"
  private static let changing: EffectID = "changed"
  private static let asking: EffectID = "detail"
  /// The largest number of images that are fetched at the same time.
  private static let mostFetches = 3

  /// The reading of the cached details.
  private enum Reading {
    case idle
    case running
    /// Something has changed since the running read began.
    case stale
  }

  private let lab: ScreenLab
  private let id: String
  private let account: String
  private let context: any PluginContext
  private var opened: OpenLab?
  private var state = DetailState()
  private var message = "reading …"
  private var size = Size(width: 0, height: 0)
  private var reading = Reading.idle
  private var isChangeAwaited = false
  private var hasAsked = false
  /// A Boolean value indicating whether the server was unreachable when the details were last read.
  private var wasOffline = false
  /// Indices of the images that wait to be fetched.
  private var waiting: [Int] = []
  /// The indices of the images that are being fetched, by their effects; effects for an earlier entity are not in it.
  private var fetches: [EffectID: Int] = [:]
  /// The number of images that were requested.
  private var fetchCount = 0

  init(_ request: ScreenRequest, _ context: any PluginContext, _ lab: ScreenLab) {
    self.lab = lab
    id = request.arguments[OpenBISArgument.entity] ?? ""
    account = request.arguments[OpenBISArgument.account] ?? ""
    self.context = context
  }

  var title: String { state.details.map { EntityTitle.heading($0.entity) } ?? "Details" }
  var view: any View { EntityDetailView(state: state, message: message) }
  var status: [StyledText.Run] { isOffline ? [ServerRequests.offlineRun] : [] }

  /// A Boolean value indicating whether the server is asked only on the user's request, because it was last
  /// unreachable.
  private var isOffline: Bool { context.isOffline || opened?.isReachable == false }

  // MARK: Events

  func start() -> [Effect] { read() }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    switch state.handle(event, in: Rect(size)) {
    case .changed: return fetch()
    case .chosen(let item), .disclosed(let item): return choose(item)
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = DetailAction(rawValue: invocation.action) else { return [] }
    switch action {
    case .choose: return (invocation.arguments[OpenBISArgument.id] ?? state.item?.id).map(choose) ?? []
    case .refresh, .online: return requestAgain()
    case .tree: return [.push(ScreenRequest("tree", of: id, account: account))]
    case .files: return FilesController.open(id, account: account, isNavigation: isNavigation)
    case .export: return export(id, account: account)
    case .image: return showImage(0)
    case .copy:
      let entity = state.details?.entity
      return [.copy(entity?.identifier ?? id)]
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.asking): return read()
    case .failed(Self.asking, let report): return [.status(Diagnostic(report, .warning))]
    case .notification:
      if isChangeAwaited { return [] }
      isChangeAwaited = true
      return [.timer(Self.changing, seconds: BrowserController.changeInSeconds, repeats: false)]
    case .timer(Self.changing):
      isChangeAwaited = false
      return read()
    case .returned(_, let value):
      // Another entity or another account is opened by the list below, whatever screen was above.
      return ScreenResult(value) == nil ? [] : [.pop(value)]
    default: return ExportDialog.receive(message) + receiveImage(message)
    }
  }

  private var isNavigation: Bool { state.details?.entity.flags.contains(.navigation) ?? false }

  // MARK: Reading

  private func read() -> [Effect] {
    if reading != .idle {
      reading = .stale
      return []
    }
    reading = .running
    return [
      load(Self.reading, "reading details") { [lab, opened, account, id] _ in
        let opened = if let opened { opened } else { try await lab.open(account) }
        let entity = try await opened.cache.entity(id)
        let parents = entity == nil ? [] : try await opened.cache.parents(of: id)
        let linked = try await opened.cache.summaries((entity?.properties ?? []).compactMap(\.linkedID))
        return (opened, entity, parents, linked.compactMap { $0 })
      } then: { controller, read in
        controller.prepare(read.0, read.1, parents: read.2, linked: read.3)
      } failed: {
        $0.readingFailed($1)
      }
    ]
  }

  /// Prepares the texts of details, which may be large, off the loop.
  private func prepare(
    _ lab: OpenLab, _ entity: Entity?, parents: [EntitySummary], linked: [EntitySummary]
  ) -> [Effect] {
    opened = lab
    guard let entity else {
      let again = endReading()
      let wasThere = state.details != nil
      state.details = nil
      message = "'\(SanitizedText.line(id))' was deleted on the server"
      return again + (wasThere ? [.pop(.null)] : [])
    }
    return [
      compute(Self.reading, "reading details") { _ in
        EntityDetails(entity, parents: parents, linked: linked)
      } then: {
        $0.take($1)
      } failed: {
        $0.readingFailed($1)
      }
    ]
  }

  private func take(_ details: EntityDetails) -> [Effect] {
    let again = endReading()
    show(details)
    if wasOffline, !isOffline {
      hasAsked = false
      wantImagesAgain()
    }
    wasOffline = isOffline
    let isAsked = hasAsked || !details.entity.flags.isDisjoint(with: [.detailed, .navigation]) ? [] : ask()
    return again + isAsked + fetch()
  }

  /// Ends a read; begins another one if something has changed meanwhile.
  private func endReading() -> [Effect] {
    let isStale = reading == .stale
    reading = .idle
    return isStale ? read() : []
  }

  private func readingFailed(_ failure: Load.Failure) -> [Effect] {
    reading = .idle
    if case .failed(let report) = failure { message = report.description }
    return []
  }

  /// Shows details; unchanged images keep their pictures.
  private func show(_ details: EntityDetails) {
    var details = details
    if let before = state.details, before.entity.images == details.entity.images {
      details.images = before.images
    } else {
      fetches = [:]
      waiting = details.images.indices.filter { details.images[$0].isFetched }
    }
    state.details = details
  }

  /// Requests the details, unless the server was unreachable.
  private func ask() -> [Effect] { isOffline ? [] : startAsking() }

  /// Requests the details on the user's demand, even from a server that was unreachable, and missing images too.
  private func requestAgain() -> [Effect] {
    if context.isOffline { return [.status(ServerRequests.startedOffline)] }
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
    guard let details = state.details, !waiting.isEmpty, fetches.count < Self.mostFetches else { return [] }
    let layout = DetailLayout(details, in: size)
    let sight = state.top - size.height..<state.top + 2 * max(1, size.height)
    let near = waiting.filter { layout.lines[.image($0)].map { $0.overlaps(sight) } ?? false }
    return near.prefix(Self.mostFetches - fetches.count).map { index in
      waiting.removeAll { $0 == index }
      fetchCount += 1
      let fetching = EffectID("image \(fetchCount)")
      fetches[fetching] = index
      state.details?.images[index].note = "loading …"
      return .run(fetching, command: "image", arguments: ImageArguments.of(id, account, index))
    }
  }

  /// Queues images again that could not be fetched.
  private func wantImagesAgain() {
    guard let images = state.details?.images else { return }
    for (index, image) in images.enumerated()
    where image.isFetched && image.picture == nil
      && !fetches.values.contains(index)
    {
      state.details?.images[index].note = EntityDetails.waitingNote
      if !waiting.contains(index) { waiting.append(index) }
    }
  }

  private func receiveImage(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(let fetching, let value):
      guard let index = fetches[fetching], let picture = value.picture, let details = state.details else { return [] }
      let isTile = details.images[index].role == .tiled
      return [
        compute(EffectID("fit \(index)"), "scaling the image") { _ in
          picture.shown(asTile: isTile)
        } then: { controller, picture -> Void in
          // The images may have changed meanwhile.
          guard controller.state.details?.entity.images == details.entity.images else { return }
          controller.state.details?.images[index].picture = picture
        }
      ]
    case .finished(let fetching), .cancelled(let fetching):
      return fetches.removeValue(forKey: fetching) == nil ? [] : fetch()
    case .failed(let fetching, let report):
      guard let index = fetches.removeValue(forKey: fetching) else { return [] }
      state.details?.images[index].note = "no image: " + SanitizedText.line(report.message)
      return fetch()
    default: return []
    }
  }

  // MARK: Selection

  private func choose(_ itemID: String) -> [Effect] {
    guard let details = state.details, let item = details.items.first(where: { $0.id == itemID }) else { return [] }
    state.select(item)
    switch item {
    case .property(let index): return details.rows[index].link.map { [ScreenResult.open($0).pop] } ?? showWhole(index)
    case .image(let index): return showImage(index)
    case .children: return [ScreenResult.open(id).pop]
    case .parent(let index): return [ScreenResult.open(details.parents[index].permID).pop]
    }
  }

  /// Shows a complete value on a page of its own; its text is prepared off the loop, because it may be megabytes long.
  private func showWhole(_ index: Int) -> [Effect] {
    guard let properties = state.details?.entity.properties, properties.indices.contains(index) else { return [] }
    let property = properties[index]
    let title = SanitizedText.line(property.label.isEmpty ? property.key : property.label)
    return [
      compute("whole", "preparing the text") { _ in
        ShownValue(property.value, limit: nil).text
      } then: { _, text in
        [TextController.screen(title, text)]
      }
    ]
  }

  private func showImage(_ index: Int) -> [Effect] {
    guard let images = state.details?.images, images.indices.contains(index) else { return [] }
    let request = ScreenRequest("image", of: id, account: account).with(OpenBISArgument.number, index + 1)
      .with(OpenBISArgument.count, images.count)
    return [.push(request)]
  }
}

/// The arguments of the command that returns an image.
enum ImageArguments {
  /// Returns the arguments for an image by its index from 0; commands count from 1 and need not request the details
  /// again.
  static func of(_ permID: String, _ account: String, _ index: Int) -> Record {
    ["perm-id": .text(permID), "number": .integer(index + 1), "known-details": true, "account": .text(account)]
  }
}

/// The screen that shows one image of an entity over the whole size.
@MainActor final class ImageController: Controller {
  /// The actions of the screen.
  enum Action: String, CaseIterable { case next, previous }

  nonisolated static let description = ScreenDescription(
    "image", title: "Image", summary: "An image, full-screen",
    actions: [
      ScreenAction(Action.next, "Next image", keys: ["n", "right", "space"]),
      ScreenAction(Action.previous, "Previous image", keys: ["p", "left"]),
    ])

  private static let fetching: EffectID = "image"

  private let id: String
  private let account: String
  private let count: Int
  private var index: Int
  private var picture: Picture?
  /// The text shown while there is no picture.
  private var note = ""

  init(_ request: ScreenRequest) {
    id = request.arguments[OpenBISArgument.entity] ?? ""
    account = request.arguments[OpenBISArgument.account] ?? ""
    count = max(1, request.arguments[OpenBISArgument.count] ?? 1)
    index = min(max(1, request.arguments[OpenBISArgument.number] ?? 1), count) - 1
  }

  var title: String { count > 1 ? "Image \(index + 1) of \(count)" : "Image" }

  var view: any View { WholeImageView(picture: picture, description: title, note: note) }

  func start() -> [Effect] { [fetch()] }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = Action(rawValue: invocation.action) else { return [] }
    let next =
      switch action {
      case .next: index + 1
      case .previous: index - 1
      }
    guard (0..<count).contains(next) else { return [] }
    index = next
    return [fetch()]
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(Self.fetching, let value): picture = value.picture
    case .finished(Self.fetching): note = picture == nil ? "no image" : ""
    case .failed(Self.fetching, let report): note = report.description
    case .cancelled(Self.fetching): note = "cancelled"
    default: break
    }
    return []
  }

  /// Fetches the current image, in place of the one before.
  private func fetch() -> Effect {
    picture = nil
    note = "loading …"
    return .run(Self.fetching, command: "image", arguments: ImageArguments.of(id, account, index))
  }
}

/// The screen that shows one long text; text in columns is not wrapped.
@MainActor final class TextController: Controller {
  /// The actions of the screen.
  enum Action: String, CaseIterable { case wrap }

  nonisolated static let description = ScreenDescription(
    "text", title: "Text", summary: "A long text",
    actions: [ScreenAction(Action.wrap, "Toggle line wrapping", keys: ["w"])])

  /// Returns the effect that shows a text with a heading.
  static func screen(_ title: String, _ text: String) -> Effect {
    .push(ScreenRequest("text").with(OpenBISArgument.title, title).with(OpenBISArgument.text, text))
  }

  /// The length up to which a text is wrapped at first; wrapping longer texts takes too long.
  private static let longestWrapped = 200_000

  let title: String
  private let text: String
  private var page = TextPageState("…")
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    title = SanitizedText.line(request.arguments[OpenBISArgument.title] ?? "Text")
    text = request.arguments[OpenBISArgument.text] ?? ""
  }

  var view: any View { TextPageView(title, page) }
  var wantsText: Bool { page.isSearching }

  func start() -> [Effect] {
    [
      compute("text", "preparing the text") { [text] _ in
        StyledText(SanitizedText.block(text))
      } then: { controller, made in
        controller.page = TextPageState(made, wraps: controller.text.utf8.count <= Self.longestWrapped)
      }
    ]
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event { size = geometry.size }
    return page.handle(event, in: Rect(size)) == nil ? nil : []
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = Action(rawValue: invocation.action) else { return [] }
    switch action {
    case .wrap: page.wraps.toggle()
    }
    return []
  }
}
