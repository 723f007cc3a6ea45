import Glibc
import PluginAPI

/// The state of one run of the program.
///
/// Made once and passed down; there are no globals.
@MainActor final class HostSession {
  /// The global options of the command line.
  var options: GlobalOptions
  /// The folders of the host.
  let folders: HostFolders
  /// The settings of the user.
  let settings: Settings
  /// The event loop.
  let loop: HostEventLoop
  /// Notifications between plugins, host and controllers.
  let notifications: NotificationHub
  /// The plugins.
  let plugins: PluginHost

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - options: The global options of the command line.
  ///   - environment: The process's environment.
  ///   - settings: The user's settings, if already read.
  ///   - searchPath: The search path for plugins, if not that of the options.
  ///   - replaced: The folders in place of those of the options; plugins are searched in those of the options all the
  ///     same.
  init(
    options: GlobalOptions, environment: [String: String], settings: Settings? = nil,
    searchPath: PluginSearchPath? = nil, replaced: HostFolders.Replacements = .init()
  ) throws(ErrorReport) {
    self.options = options
    var folders = try HostFolders(options: options, environment: environment)
    let standardPath = PluginSearchPath(
      options: options, environment: environment, userData: folders.data, installation: .current)
    folders.replace(by: replaced)
    self.folders = folders
    self.settings =
      settings ?? Settings(path: folders.config + "/settings.json", environment: environment)
    loop = HostEventLoop()
    notifications = NotificationHub(loop: loop)
    plugins = PluginHost(
      folders: folders, loop: loop, notifications: notifications, settings: self.settings,
      isOffline: options.isOffline, isIsolating: options.isIsolating, searchPath: searchPath ?? standardPath)
  }
}

extension Instant {
  /// The time now, by the system's clock.
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }
}
