internal import Glibc

/// The processors of this machine.
public enum Processors {
  /// The number of online processors; at least 1.
  public static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
