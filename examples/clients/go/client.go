// A client of `tessera serve` in Go, with the standard library alone.
//
//	go run client.go HTTP_PORT REDIS_PORT KEY
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

const attempts = 5

type client struct {
	http *http.Client
	base string
}

// Create makes an order, once: whatever happens on the way, the same key gives the same ID. So a request
// without an answer, or that the service asks to repeat, is sent again as it is.
func (c client) Create(tenant, collection, key string) (id string, replayed bool, err error) {
	for attempt := 1; attempt <= attempts; attempt++ {
		request, err := http.NewRequest("POST", c.base+"/v1/tenants/"+tenant+"/"+collection, nil)
		if err != nil {
			return "", false, err
		}
		request.Header.Set("Idempotency-Key", key)
		answer, err := c.http.Do(request)
		if err == nil {
			body, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
			answer.Body.Close()
			if answer.StatusCode == http.StatusCreated {
				id := path.Base(answer.Header.Get("Location"))
				return id, answer.Header.Get("Idempotent-Replayed") == "true", nil
			}
			if answer.StatusCode < 500 && answer.StatusCode != http.StatusTooManyRequests {
				return "", false, fmt.Errorf("%s: %s", answer.Status, body)
			}
		}
		time.Sleep(time.Duration(attempt) * 100 * time.Millisecond)
	}
	return "", false, fmt.Errorf("no answer after %d attempts; repeat with the same key", attempts)
}

// Ask is any other request: the status says live (200), deleted (410), never issued (404) or mistyped (400).
func (c client) Ask(method, target, accept, body string) (int, string, error) {
	request, err := http.NewRequest(method, c.base+target, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("Content-Type", "application/json")
	answer, err := c.http.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	return answer.StatusCode, string(text), err
}

// Incr is the next number of a scope, over the Redis protocol.
func Incr(address, scope string) (int64, error) {
	connection, err := net.DialTimeout("tcp", address, 10*time.Second)
	if err != nil {
		return 0, err
	}
	defer connection.Close()
	fmt.Fprintf(connection, "*2\r\n$4\r\nINCR\r\n$%d\r\n%s\r\n", len(scope), scope)
	line, err := bufio.NewReader(connection).ReadString('\n')
	if err != nil {
		return 0, err
	}
	if line[0] != ':' {
		return 0, fmt.Errorf("redis: %s", strings.TrimSpace(line))
	}
	return strconv.ParseInt(strings.TrimSpace(line[1:]), 10, 64)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: client HTTP_PORT REDIS_PORT KEY")
	}
	c := client{&http.Client{Timeout: 10 * time.Second}, "http://127.0.0.1:" + os.Args[1]}

	_, ids, err := c.Ask("POST", "/v1/ids", "text/plain", `{"kind":"uuidv7","count":3}`)
	fmt.Println("ids", strings.Join(strings.Fields(must(ids, err)), " "))

	for i := 0; i < 2; i++ {
		id, replayed, err := c.Create("acme", "orders", os.Args[3])
		fmt.Println("created", must(id, err), replayed)
	}
	id, _, err := c.Create("acme", "orders", os.Args[3]+"-2")
	order := "/v1/tenants/acme/orders/" + must(id, err)
	for _, method := range []string{"GET", "DELETE", "GET"} {
		status, _, err := c.Ask(method, order, "application/json", "")
		fmt.Println(method, must(status, err))
	}
	fmt.Println("number", must(Incr("127.0.0.1:"+os.Args[2], "ORDER")))
}
