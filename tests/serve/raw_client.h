#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace memmatch::test {

// A connection to a port of this machine that sends whatever bytes it is told to.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // False where the other side has closed.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  void half_close() { ::shutdown(socket_, SHUT_WR); }

  // The next answer, head and body; what there is where the connection ends before.
  std::string answer() {
    while (buffer_.find("\r\n\r\n") == std::string::npos && receive()) {
    }
    const std::size_t head = buffer_.find("\r\n\r\n");
    if (head == std::string::npos) return std::exchange(buffer_, "");
    const std::size_t field = buffer_.find("Content-Length: ");
    const std::size_t length =
        field < head ? std::stoul(buffer_.substr(field + 16, 20)) : std::size_t{0};
    while (buffer_.size() < head + 4 + length && receive()) {
    }
    std::string answer = buffer_.substr(0, head + 4 + length);
    buffer_.erase(0, answer.size());
    return answer;
  }

  // Whether the other side closes the connection within a generous time.
  bool closed() {
    while (receive()) {
    }
    return ended_;
  }

 private:
  // Some more bytes; false at the end, or where nothing comes for long.
  bool receive() {
    pollfd poll{socket_, POLLIN, 0};
    if (::poll(&poll, 1, 20'000) <= 0) return false;
    char bytes[4096];
    const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
    ended_ = count <= 0;
    if (count > 0) buffer_.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  int socket_;
  std::string buffer_;
  bool ended_ = false;
};

inline int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

}  // namespace memmatch::test
