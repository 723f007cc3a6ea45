import CCamera
import FoundationEssentials
import Glibc
import Synchronization

@testable import WSABI

/// A simulated camera: it responds to the requests of a driver, and can fail in every way.
final class PretendedCamera: Sendable {
  /// The result of one wait for a picture.
  enum Next: Sendable {
    case frame([UInt8])
    /// A frame the driver marks as damaged.
    case marked([UInt8])
    case nothing
    /// It was unplugged.
    case gone
  }

  struct Behaviour: Sendable {
    var paths: Set<String> = ["/dev/video0"]
    var name = "Pretended Camera"
    var abilities = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
    var sizes: [CameraSize] = [CameraSize(.jpeg, width: 640, height: 480)]
    /// Error numbers of requests.
    var errors: [UInt: Int32] = [:]
    var openError: Int32 = 0
    var bufferCount: UInt32 = 4
    /// The buffer that the driver claims to have filled; nil for the right one.
    var claimedBuffer: UInt32?
    /// The length that the driver claims for the frame; nil for the real one.
    var claimedCount: UInt32?
    var next: @Sendable (_ number: Int) -> Next = { _ in .frame(PretendedCamera.jpeg) }
  }

  struct Log: Sendable {
    var openCount = 0
    var closeCount = 0
    var begins = 0
    var ends = 0
    var mapped = 0
    var frames = 0
  }

  private struct State {
    var behaviour: Behaviour
    var log = Log()
    var size = CameraSize(.jpeg, width: 640, height: 480)
    var queued: [UInt32] = []
    var current: Next?
    var memory: [UInt: UnsafeMutableRawPointer] = [:]
  }

  // The memory of buffers is freed with the camera alone.
  private nonisolated(unsafe) let state: UnsafeMutablePointer<Mutex<State>>
  private static let room = 1 << 21

  init(_ change: (inout Behaviour) -> Void = { _ in }) {
    var behaviour = Behaviour()
    change(&behaviour)
    state = .allocate(capacity: 1)
    state.initialize(to: Mutex(State(behaviour: behaviour)))
  }

  deinit {
    state.pointee.withLock { state in for memory in state.memory.values { memory.deallocate() } }
    state.deinitialize(count: 1)
    state.deallocate()
  }

  var log: Log { state.pointee.withLock { $0.log } }

  func change(_ body: (inout Behaviour) -> Void) { state.pointee.withLock { body(&$0.behaviour) } }

  /// The system table through which the camera is accessed.
  var system: CameraSystem {
    var table = camera_system()
    table.context = Unmanaged.passUnretained(self).toOpaque()
    table.open = { context, path, error in
      PretendedCamera.of(context).open(path.map { String(cString: $0) } ?? "", error)
    }
    table.control = { context, _, request, argument, error in
      PretendedCamera.of(context).control(request, argument, error)
    }
    table.map = { context, _, count, place in PretendedCamera.of(context).map(count, place) }
    table.unmap = { context, _, _ in PretendedCamera.of(context).note { $0.mapped -= 1 } }
    table.wait = { context, _, _ in PretendedCamera.of(context).wait() }
    table.close = { context, _ in PretendedCamera.of(context).note { $0.closeCount += 1 } }
    return CameraSystem(table: table, owner: self)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> PretendedCamera {
    guard let context else { preconditionFailure("the table has its context") }
    return Unmanaged<PretendedCamera>.fromOpaque(context).takeUnretainedValue()
  }

  private func note(_ body: (inout Log) -> Void) { state.pointee.withLock { body(&$0.log) } }

  private func open(_ path: String, _ error: UnsafeMutablePointer<Int32>?) -> Int32 {
    state.pointee.withLock { state in
      error?.pointee = state.behaviour.openError != 0 ? state.behaviour.openError : ENOENT
      guard state.behaviour.paths.contains(path), state.behaviour.openError == 0 else { return -1 }
      state.log.openCount += 1
      return 7
    }
  }

  private func map(_ count: Int, _ place: Int) -> UnsafeMutableRawPointer? {
    state.pointee.withLock { state in
      state.log.mapped += 1
      let known = state.memory[UInt(place)]
      let memory = known ?? .allocate(byteCount: Self.room, alignment: 16)
      state.memory[UInt(place)] = memory
      return memory
    }
  }

  private func wait() -> Int32 {
    state.pointee.withLock { state in
      let next = state.behaviour.next(state.log.frames)
      state.log.frames += 1
      state.current = next
      switch next {
      case .frame, .marked: return state.queued.isEmpty ? 0 : 1
      case .nothing: return 0
      case .gone: return -1
      }
    }
  }

  private func control(
    _ request: UInt, _ argument: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    // As a number, as the request's memory belongs to the caller.
    let place = UInt(bitPattern: argument)
    let problem = state.pointee.withLock { state in
      guard let argument = UnsafeMutableRawPointer(bitPattern: place) else { return EINVAL }
      return state.behaviour.errors[request] ?? Self.answer(request, argument, &state)
    }
    error?.pointee = problem
    return problem == 0 ? 0 : -1
  }

  /// - Returns: 0, or an error number.
  private static func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer, _ state: inout State) -> Int32 {
    switch request {
    case camera_capabilities:
      let about = argument.assumingMemoryBound(to: v4l2_capability.self)
      about.pointee.capabilities = state.behaviour.abilities
      let name = Array(state.behaviour.name.utf8).prefix(32)
      withUnsafeMutableBytes(of: &about.pointee.card) { $0.copyBytes(from: name) }
      return 0
    case camera_forms:
      let format = argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
      let forms = forms(state)
      guard format.pointee.index < forms.count else { return EINVAL }
      format.pointee.pixelformat = forms[Int(format.pointee.index)]
      return 0
    case camera_frame_sizes:
      let size = argument.assumingMemoryBound(to: v4l2_frmsizeenum.self)
      let sizes = state.behaviour.sizes.filter { pixels($0.form) == size.pointee.pixel_format }
      guard size.pointee.index < sizes.count else { return EINVAL }
      size.pointee.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
      let found = sizes[Int(size.pointee.index)]
      size.pointee.discrete = v4l2_frmsize_discrete(width: UInt32(found.width), height: UInt32(found.height))
      return 0
    case camera_set_form:
      let format = argument.assumingMemoryBound(to: v4l2_format.self)
      let form: CameraSize.Form = format.pointee.fmt.pix.pixelformat == camera_jpeg_pixels ? .jpeg : .yuyv
      state.size = CameraSize(
        form, width: Int(format.pointee.fmt.pix.width), height: Int(format.pointee.fmt.pix.height))
      format.pointee.fmt.pix.bytesperline = form == .yuyv ? 2 * format.pointee.fmt.pix.width : 0
      return 0
    case camera_request_buffers:
      let buffers = argument.assumingMemoryBound(to: v4l2_requestbuffers.self)
      state.queued = []
      if buffers.pointee.count > 0 { buffers.pointee.count = state.behaviour.bufferCount }
      return 0
    default: return answerBuffers(request, argument, &state)
    }
  }

  private static func answerBuffers(
    _ request: UInt, _ argument: UnsafeMutableRawPointer, _ state: inout State
  ) -> Int32 {
    switch request {
    case camera_begin:
      // As of any camera, one at a time.
      if state.log.begins > state.log.ends { return EBUSY }
      state.log.begins += 1
    case camera_end: state.log.ends += 1
    case camera_query_buffer:
      let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
      buffer.pointee.length = UInt32(room)
      buffer.pointee.m.offset = buffer.pointee.index * 4096
    case camera_give_buffer:
      state.queued.append(argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.index)
    case camera_take_buffer:
      let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
      guard !state.queued.isEmpty, let current = state.current else { return EAGAIN }
      let index = state.queued.removeFirst()
      let (bytes, isMarked): ([UInt8], Bool) =
        switch current {
        case .frame(let bytes): (bytes, false)
        case .marked(let bytes): (bytes, true)
        case .nothing, .gone: ([], true)
        }
      state.memory[UInt(index) * 4096]?.copyMemory(from: bytes, byteCount: bytes.count)
      buffer.pointee.index = state.behaviour.claimedBuffer ?? index
      buffer.pointee.bytesused = state.behaviour.claimedCount ?? UInt32(bytes.count)
      buffer.pointee.flags = isMarked ? UInt32(V4L2_BUF_FLAG_ERROR) : 0
    default: return ENOTTY
    }
    return 0
  }

  private static func forms(_ state: State) -> [UInt32] {
    var forms: [UInt32] = []
    for size in state.behaviour.sizes where !forms.contains(pixels(size.form)) { forms.append(pixels(size.form)) }
    return forms
  }

  private static func pixels(_ form: CameraSize.Form) -> UInt32 {
    form == .jpeg ? camera_jpeg_pixels : camera_yuyv_pixels
  }

  // MARK: Pictures

  /// 16×12 pixels, red 16·x, green 20·y, blue 128; made with libjpeg-turbo 2.1.5 at quality 90 from that formula.
  static let jpeg = [UInt8](
    Data(
      base64Encoded: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8X
        GBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAAR
        CAAMABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG
        E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG
        h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEB
        AQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYk
        NOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0
        tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD5r8J/BP7n7j9K/VMZn2+p4HDXE/w+8eze
        E/gn9z9x+lfC4zPt9T+quGuJ/h949t8J+FNN+T9z6V8DjMZW11P8veGswxHu6ns3hPwppvyfua+GxmMra6n9V8NZhiPd1P/Z
        """, options: .ignoreUnknownCharacters) ?? Data())

  /// A picture without Huffman tables, as many cameras deliver.
  static let bareJPEG: [UInt8] = {
    var (bare, place): ([UInt8], Int) = (Array(jpeg.prefix(2)), 2)
    while jpeg[place + 1] != 0xDA {
      let count = 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
      if jpeg[place + 1] != 0xC4 { bare += jpeg[place..<(place + count)] }
      place += count
    }
    return bare + jpeg[place...]
  }()

  /// Returns uniform gray of a brightness, two pixels in four bytes.
  static func yuyv(_ width: Int, _ height: Int, light: UInt8) -> [UInt8] {
    [UInt8](repeating: 0, count: 2 * width * height).indices.map { $0 % 2 == 0 ? light : 128 }
  }
}
